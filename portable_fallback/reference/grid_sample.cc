// x at places that a grid gives for each output: the taps of one place along each axis, then all
// channels, sixteen at a time.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/block.h"
#include "portable_fallback/shared/rounding.h"
#include "portable_fallback/shared/split.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

constexpr uint32_t kTapsMax = 4;

struct GridSample {
  explicit GridSample(const Step& step)
      : x(step.input(0)),
        grid(step.input(1)),
        y(step.output(0)),
        attributes(step.attributes<GridSampleAttributes>()) {}

  Tensor x, grid;
  OutTensor y;
  GridSampleAttributes attributes;
};

// The taps of a place along one axis; a tap beyond x weighs 0 where zeros lie there.
struct AxisTaps {
  uint32_t count = 1;
  uint32_t at[kTapsMax] = {};
  float weights[kTapsMax] = {1};
};

// v mirrored at low and high until it lies between them. |v| is bounded.
float reflected(float v, float low, float high) {
  const float range = high - low;
  if (range == 0.0f) return low;
  const float beyond = v < low ? low - v : v - high;
  if (!(beyond > 0.0f)) return v;
  const float turns = trunc_f32(beyond / range);
  const float rest = beyond - turns * range;
  const bool even = trunc_f32(turns / 2.0f) * 2.0f == turns;
  return (v < low) == even ? low + rest : high - rest;
}

class AxisRule {
 public:
  AxisRule(const GridSampleAttributes& attributes, uint32_t size)
      : attributes_(attributes),
        last_(static_cast<float>(size) - 1.0f),
        low_(attributes.align_corners != 0 ? 0.0f : -0.5f),
        high_(attributes.align_corners != 0 ? last_ : last_ + 0.5f) {}

  AxisTaps taps(float place) const {
    float at = attributes_.align_corners != 0 ? (place + 1.0f) / 2.0f * last_
                                              : ((place + 1.0f) * (last_ + 1.0f) - 1.0f) / 2.0f;
    // A NaN lies nowhere: beyond x. What is as far away as this is as good as further.
    constexpr float kFar = 1 << 23;
    at = at >= -kFar ? at : -kFar;
    at = at <= kFar ? at : kFar;
    if (attributes_.mode == GridMode::kNearest) at = round_even_f32(at);
    if (at < low_ || at > high_) {
      if (attributes_.padding == GridPadding::kBorder) at = within(at);
      if (attributes_.padding == GridPadding::kReflection) at = reflected(at, low_, high_);
    }
    AxisTaps taps;
    if (attributes_.mode == GridMode::kNearest) {
      put(taps, 0, at, 1.0f);
      return taps;
    }
    const float whole = floor_f32(at);
    const float t = at - whole;
    if (attributes_.mode == GridMode::kLinear) {
      taps.count = 2;
      put(taps, 0, whole, 1.0f - t);
      put(taps, 1, whole + 1.0f, t);
      return taps;
    }
    taps.count = 4;
    put(taps, 0, whole - 1.0f, outer(t + 1.0f));
    put(taps, 1, whole, inner(t));
    put(taps, 2, whole + 1.0f, inner(1.0f - t));
    put(taps, 3, whole + 2.0f, outer(2.0f - t));
    return taps;
  }

 private:
  static constexpr float kA = -0.75f;
  static float inner(float x) { return ((kA + 2.0f) * x - (kA + 3.0f)) * x * x + 1.0f; }
  static float outer(float x) { return ((kA * x - 5.0f * kA) * x + 8.0f * kA) * x - 4.0f * kA; }

  float within(float at) const { return at < 0.0f ? 0.0f : at > last_ ? last_ : at; }

  void put(AxisTaps& taps, uint32_t i, float at, float weight) const {
    float inside = at;
    if (attributes_.padding == GridPadding::kReflection) inside = reflected(at, low_, high_);
    inside = within(inside);
    const bool there = attributes_.padding != GridPadding::kZeros || inside == at;
    taps.at[i] = static_cast<uint32_t>(inside);
    taps.weights[i] = there ? weight : 0.0f;
  }

  const GridSampleAttributes& attributes_;
  float last_, low_, high_;
};

// One output position.
struct GridPlace {
  size_t x = 0, y = 0;  // elements from the tensors' starts to the first channel
  AxisTaps taps[3];
};

template <typename T>
void sample(const GridSample& task, const GridPlace& place) {
  const uint32_t channels = task.y.dims[1];
  const size_t x_c = task.x.strides[1];
  const size_t y_c = task.y.strides[1];
  for (uint32_t c = 0; c < channels; c += kBlock) {
    const uint32_t count = channels - c < kBlock ? channels - c : kBlock;
    Src<T> x = task.x.read<T>() + (place.x + c * x_c);
    float sums[kBlock] = {};
    for (uint32_t d = 0; d < place.taps[0].count; ++d) {
      for (uint32_t h = 0; h < place.taps[1].count; ++h) {
        for (uint32_t w = 0; w < place.taps[2].count; ++w) {
          const float weight =
              place.taps[0].weights[d] * place.taps[1].weights[h] * place.taps[2].weights[w];
          // Elements beyond x are 0, whatever their factor is.
          if (weight == 0.0f) continue;
          Src<T> from = x + (place.taps[0].at[d] * size_t{task.x.strides[2]} +
                             place.taps[1].at[h] * size_t{task.x.strides[3]} +
                             place.taps[2].at[w] * size_t{task.x.strides[4]});
          for (uint32_t j = 0; j < count; ++j) sums[j] += weight * float{from[j * x_c]};
        }
      }
    }
    Dst<T> y = task.y.write<T>() + (place.y + c * y_c);
    for (uint32_t j = 0; j < count; ++j) y[j * y_c] = T(sums[j]);
  }
}

// Items: image, output slice, output row.
template <typename T>
void sample_rows(const GridSample& task, uint32_t first, uint32_t last) {
  const uint32_t* dims = task.y.dims;
  const uint32_t rank = task.grid.rank();
  const uint32_t* g = task.grid.strides;
  const AxisRule rules[3] = {{task.attributes, task.x.dims[2]},
                             {task.attributes, task.x.dims[3]},
                             {task.attributes, task.x.dims[4]}};
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t oh = item % dims[3];
    const uint32_t od = item / dims[3] % dims[2];
    const uint32_t n = item / dims[3] / dims[2];
    for (uint32_t ow = 0; ow < dims[4]; ++ow) {
      GridPlace place;
      place.x = size_t{n} * task.x.strides[0];
      place.y = size_t{n} * task.y.strides[0] + size_t{od} * task.y.strides[2] +
                size_t{oh} * task.y.strides[3] + size_t{ow} * task.y.strides[4];
      size_t at = size_t{n} * g[0] + size_t{oh} * g[rank - 3] + size_t{ow} * g[rank - 2];
      if (rank == 5) at += size_t{od} * g[1];
      // x, y, z: the last axis first.
      for (uint32_t k = 0; k < rank - 2; ++k) {
        const float coordinate = float{task.grid.read<T>()[at + k * size_t{g[rank - 1]}]};
        place.taps[2 - k] = rules[2 - k].taps(coordinate);
      }
      sample<T>(task, place);
    }
  }
}

template <TypeSet kTypes>
void grid_sample_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const GridSample*>(argument);
  for_number<kTypes>(task.y.dtype(), [&]<typename T>() { sample_rows<T>(task, first, last); });
}

template <TypeSet kTypes>
Status run_grid_sample(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  GridSample task(step);
  const uint32_t items = task.y.dims[0] * task.y.dims[2] * task.y.dims[3];
  const uint32_t taps = task.attributes.mode == GridMode::kCubic ? 16 : 4;
  split(platform, items, element_count(task.y) * taps, grid_sample_items<kTypes>, &task);
  return ok_status();
}

template <TypeSet kTypes>
constexpr Form grid_sample_form(uint8_t number) {
  return make_form(Op::kGridSample, number, {.parallel = true, .run = run_grid_sample<kTypes>});
}

}  // namespace

constexpr Form kGridSampleForm0 = grid_sample_form<form_types(Op::kGridSample, 0)>(0);
ARENITE_FORM_CODE(GridSample, 0)
constexpr Form kGridSampleForm2 = grid_sample_form<form_types(Op::kGridSample, 2)>(2);
ARENITE_FORM_CODE(GridSample, 2)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
