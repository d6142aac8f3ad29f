// Squeeze and excitation, image by image: the first product grows channel by channel as means
// become known, so that it takes no memory but its rows.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/activation.h"
#include "portable_fallback/shared/block.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

struct SqueezeExcite {
  explicit SqueezeExcite(const Step& step)
      : x(step.input(0)),
        w(step.input(1)),
        bias(step.input(2)),
        gate_bias(step.input(3)),
        y(step.output(0)),
        rows(w.dims[1]),
        attributes(step.attributes<SqueezeExciteAttributes>()) {}

  // Finds an element of the first weights (`which` is 0) or the second (1).
  size_t weight_at(uint32_t which, uint32_t row, uint32_t channel) const {
    return size_t{which} * w.strides[0] + size_t{row} * w.strides[1] +
           size_t{channel} * w.strides[2];
  }

  Tensor x, w, bias, gate_bias;
  OutTensor y;
  uint32_t rows;
  SqueezeExciteAttributes attributes;
};

// Rows of an image are summed one by one, so that long sums stay exact.
float mean_of(const SqueezeExcite& task, Src<float> channel) {
  float sum = 0;
  for (uint32_t h = 0; h < task.x.dims[2]; ++h) {
    float row = 0;
    for (uint32_t w = 0; w < task.x.dims[3]; ++w) {
      row += channel[size_t{h} * task.x.strides[2] + size_t{w} * task.x.strides[3]];
    }
    sum += row;
  }
  return sum / (static_cast<float>(task.x.dims[2]) * static_cast<float>(task.x.dims[3]));
}

template <typename W>
void find_hidden(const SqueezeExcite& task, Src<float> image, float* hidden) {
  Src<W> w = task.w.read<W>();
  Src<float> bias = task.bias.read<float>();
  for (uint32_t r = 0; r < task.rows; ++r) hidden[r] = bias[size_t{r} * task.bias.strides[0]];
  for (uint32_t c = 0; c < task.x.dims[1]; ++c) {
    const float mean = mean_of(task, image + size_t{c} * task.x.strides[1]);
    for (uint32_t r = 0; r < task.rows; ++r) {
      hidden[r] += mean * static_cast<float>(w[task.weight_at(0, r, c)]);
    }
  }
  activate(task.attributes.inner_activation, hidden, hidden, task.rows);
}

template <typename W>
float gate_of(const SqueezeExcite& task, const float* hidden, uint32_t c) {
  Src<W> w = task.w.read<W>();
  float gate = task.gate_bias.read<float>()[size_t{c} * task.gate_bias.strides[0]];
  for (uint32_t r = 0; r < task.rows; ++r) {
    gate += hidden[r] * static_cast<float>(w[task.weight_at(1, r, c)]);
  }
  activate(task.attributes.gate_activation, &gate, &gate, 1);
  return gate;
}

template <typename W>
void compute_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const SqueezeExcite*>(argument);
  float hidden[kSqueezeRowsMax];
  for (uint32_t n = first; n < last; ++n) {
    Src<float> image = task.x.read<float>() + size_t{n} * task.x.strides[0];
    Dst<float> results = task.y.write<float>() + size_t{n} * task.y.strides[0];
    find_hidden<W>(task, image, hidden);
    for (uint32_t c = 0; c < task.x.dims[1]; ++c) {
      const float gate = gate_of<W>(task, hidden, c);
      Src<float> from = image + size_t{c} * task.x.strides[1];
      Dst<float> to = results + size_t{c} * task.y.strides[1];
      for (uint32_t h = 0; h < task.x.dims[2]; ++h) {
        for (uint32_t v = 0; v < task.x.dims[3]; ++v) {
          to[size_t{h} * task.y.strides[2] + size_t{v} * task.y.strides[3]] =
              gate * from[size_t{h} * task.x.strides[2] + size_t{v} * task.x.strides[3]];
        }
      }
    }
  }
}

template <typename W>
Status run_with(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  SqueezeExcite task(step);
  const uint64_t each = uint64_t{task.x.dims[1]} *
                        (2 * uint64_t{task.rows} + 2 * uint64_t{task.x.dims[2]} * task.x.dims[3]);
  split(platform, task.x.dims[0], task.x.dims[0] * each, compute_items<W>, &task);
  return ok_status();
}

Status run_floats(const Step& step, const Platform& platform) {
  return run_with<float>(step, platform);
}

Status run_halves(const Step& step, const Platform& platform) {
  return for_half_weights(step.input(1).dtype(),
                          [&]<typename W>() { return run_with<W>(step, platform); });
}

}  // namespace

constexpr Form kSqueezeExciteForm0 = make_form(Op::kSqueezeExcite, 0,
                                               {
                                                   .parallel = true,
                                                   .accepts = reads_float32_weights,
                                                   .run = run_floats,
                                               });
ARENITE_FORM_CODE(SqueezeExcite, 0)
// Weights of 16 bits.
constexpr Form kSqueezeExciteForm2 = make_form(Op::kSqueezeExcite, 2,
                                               {
                                                   .parallel = true,
                                                   .accepts = reads_half_weights,
                                                   .run = run_halves,
                                               });
ARENITE_FORM_CODE(SqueezeExcite, 2)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
