// Averages or greatest samples over bins of regions: each sample weighs the four elements around
// it; sixteen channels at a time.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/block.h"
#include "portable_fallback/shared/math.h"
#include "portable_fallback/shared/rounding.h"
#include "portable_fallback/shared/split.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

struct RoiAlign {
  explicit RoiAlign(const Step& step)
      : x(step.input(0)),
        rois(step.input(1)),
        batch(step.input(2)),
        y(step.output(0)),
        attributes(step.attributes<RoiAlignAttributes>()) {}

  Tensor x, rois, batch;
  OutTensor y;
  RoiAlignAttributes attributes;
};

// One axis of a region: where its bins begin, how long and how often sampled each is.
struct RoiAxis {
  float begin, bin;
  uint32_t samples;

  float place(uint32_t of_bin, uint32_t sample) const {
    return begin + static_cast<float>(of_bin) * bin +
           (static_cast<float>(sample) + 0.5f) * bin / static_cast<float>(samples);
  }
};

RoiAxis axis_of(const RoiAlignAttributes& attributes, float begin, float end, uint32_t bins) {
  const float offset = attributes.half_pixel != 0 ? 0.5f : 0.0f;
  RoiAxis axis;
  axis.begin = begin * attributes.scale - offset;
  float length = end * attributes.scale - offset - axis.begin;
  // Before half_pixel existed, no region was smaller than a pixel.
  if (attributes.half_pixel == 0) length = length < 1.0f ? 1.0f : length;
  axis.bin = length / static_cast<float>(bins);
  axis.samples = attributes.sampling;
  if (axis.samples == 0) {
    // A NaN has one sample, which lies nowhere.
    const float wanted = ceil_f32(axis.bin);
    constexpr auto kMost = static_cast<float>(kMaxRoiSamples);
    axis.samples = wanted >= kMost  ? kMaxRoiSamples
                   : wanted >= 1.0f ? static_cast<uint32_t>(wanted)
                                    : 0;
  }
  return axis;
}

// The two elements of an axis around a place, and their weights; none where it lies outside.
struct Around {
  bool inside = false;
  uint32_t at[2] = {};
  float weights[2] = {};
};

Around around(float place, uint32_t size) {
  Around found;
  // False for a NaN.
  if (!(place >= -1.0f && place <= static_cast<float>(size))) return found;
  found.inside = true;
  place = place <= 0.0f ? 0.0f : place;
  found.at[0] = static_cast<uint32_t>(place);
  found.at[1] = found.at[0] + 1;
  if (found.at[0] + 1 >= size) {
    found.at[0] = found.at[1] = size - 1;
    place = static_cast<float>(size - 1);
  }
  found.weights[1] = place - static_cast<float>(found.at[0]);
  found.weights[0] = 1.0f - found.weights[1];
  return found;
}

// Adds a sample to one bin's sums, or keeps the greatest so far.
template <typename T>
void add_sample(const RoiAlign& task, Src<T> x, const Around& h, const Around& w, uint32_t count,
                float* sums) {
  const size_t x_c = task.x.strides[1];
  const bool greatest = task.attributes.take_max != 0;
  for (uint32_t j = 0; j < count; ++j) {
    float parts[4];
    for (uint32_t k = 0; k < 4; ++k) {
      const uint32_t row = h.at[k / 2];
      const uint32_t column = w.at[k % 2];
      const float value =
          float{x[j * x_c + row * size_t{task.x.strides[2]} + column * size_t{task.x.strides[3]}]};
      parts[k] = h.weights[k / 2] * w.weights[k % 2] * value;
    }
    if (greatest) {
      for (const float part : parts) sums[j] = part > sums[j] ? part : sums[j];
    } else {
      sums[j] += parts[0] + parts[1] + parts[2] + parts[3];
    }
  }
}

template <typename T>
void align_bin(const RoiAlign& task, const RoiAxis axes[2], const uint32_t bin[2], Src<T> x,
               Dst<T> y) {
  const bool greatest = task.attributes.take_max != 0;
  const uint32_t all = axes[0].samples * axes[1].samples;
  const uint32_t channels = task.y.dims[1];
  for (uint32_t c = 0; c < channels; c += kBlock) {
    const uint32_t count = channels - c < kBlock ? channels - c : kBlock;
    float sums[kBlock];
    for (float& sum : sums) sum = greatest && all != 0 ? -kInfinity : 0.0f;
    for (uint32_t i = 0; i < axes[0].samples; ++i) {
      const Around h = around(axes[0].place(bin[0], i), task.x.dims[2]);
      for (uint32_t k = 0; k < axes[1].samples; ++k) {
        const Around w = around(axes[1].place(bin[1], k), task.x.dims[3]);
        if (h.inside && w.inside) {
          add_sample<T>(task, x + c * size_t{task.x.strides[1]}, h, w, count, sums);
        } else if (greatest) {
          for (float& sum : sums) sum = sum < 0.0f ? 0.0f : sum;
        }
      }
    }
    Dst<T> to = y + c * size_t{task.y.strides[1]};
    const float share = greatest || all == 0 ? 1.0f : static_cast<float>(all);
    for (uint32_t j = 0; j < count; ++j) to[j * size_t{task.y.strides[1]}] = T(sums[j] / share);
  }
}

// Items: region, row of bins.
template <typename T>
void align_rows(const RoiAlign& task, uint32_t first, uint32_t last) {
  const uint32_t* dims = task.y.dims;
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t r = item / dims[2];
    const uint32_t oh = item % dims[2];
    const auto side = [&](uint32_t k) {
      return float{
          task.rois.read<T>()[size_t{r} * task.rois.strides[0] + k * size_t{task.rois.strides[1]}]};
    };
    const RoiAxis axes[2] = {axis_of(task.attributes, side(1), side(3), dims[2]),
                             axis_of(task.attributes, side(0), side(2), dims[3])};
    // Checked before; an image that is there in any case.
    const int64_t said = task.batch.read<int64_t>()[size_t{r} * task.batch.strides[0]];
    const uint32_t n = said >= 0 && said < task.x.dims[0] ? static_cast<uint32_t>(said) : 0;
    Src<T> x = task.x.read<T>() + size_t{n} * task.x.strides[0];
    for (uint32_t ow = 0; ow < dims[3]; ++ow) {
      const uint32_t bin[2] = {oh, ow};
      Dst<T> y =
          task.y.write<T>() + (size_t{r} * task.y.strides[0] + size_t{oh} * task.y.strides[2] +
                               size_t{ow} * task.y.strides[3]);
      align_bin<T>(task, axes, bin, x, y);
    }
  }
}

template <TypeSet kTypes>
void roi_align_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const RoiAlign*>(argument);
  for_number<kTypes>(task.y.dtype(), [&]<typename T>() { align_rows<T>(task, first, last); });
}

template <TypeSet kTypes>
Status run_roi_align(const Step& step, const Platform& platform) {
  RoiAlign task(step);
  if (is_empty(task.y)) return ok_status();
  for (uint32_t r = 0; r < task.y.dims[0]; ++r) {
    const int64_t n = task.batch.read<int64_t>()[size_t{r} * task.batch.strides[0]];
    if (n < 0 || n >= task.x.dims[0]) {
      return {Code::kIndexOutOfRange, step.index(), step.input_value(2)};
    }
  }
  split(platform, task.y.dims[0] * task.y.dims[2], element_count(task.y) * 32,
        roi_align_items<kTypes>, &task);
  return ok_status();
}

template <TypeSet kTypes>
constexpr Form roi_align_form(uint8_t number) {
  return make_form(Op::kRoiAlign, number, {.parallel = true, .run = run_roi_align<kTypes>});
}

}  // namespace

constexpr Form kRoiAlignForm0 = roi_align_form<form_types(Op::kRoiAlign, 0)>(0);
ARENITE_FORM_CODE(RoiAlign, 0)
constexpr Form kRoiAlignForm2 = roi_align_form<form_types(Op::kRoiAlign, 2)>(2);
ARENITE_FORM_CODE(RoiAlign, 2)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
