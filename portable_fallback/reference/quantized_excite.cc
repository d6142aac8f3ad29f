// Each channel of x times a gate that two products of integers make: image by image, so that the
// rows between the products take no memory but the stack's.
#include "ops/quantized_excite.h"

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/channel_ends.h"
#include "portable_fallback/shared/integer_block.h"
#include "portable_fallback/shared/requantization.h"
#include "portable_fallback/shared/result_tables.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

struct QuantizedExcite {
  explicit QuantizedExcite(const Step& step)
      : x(step.input(0)),
        means(step.input(kMeansInput)),
        w(step.input(kGateWeightsInput)),
        hidden_ends(step.input(kHiddenEndsInput)),
        gate_ends(step.input(kGateEndsInput)),
        tables(step.input(kTablesInput)),
        y(step.output(0)),
        attributes(step.attributes<QuantizedExciteAttributes>()) {}

  // The numbers that the first product makes of an image's means, less their zero point.
  void find_hidden(uint32_t n, int32_t* hidden) const {
    const IntegerRow mean(means, size_t{n} * means.strides[0], means.strides[1]);
    for (uint32_t r = 0; r < w.dims[1]; ++r) {
      const IntegerRow weight(w, size_t{r} * w.strides[1], w.strides[2]);
      uint32_t sum = 0;
      for (uint32_t c = 0; c < w.dims[2]; ++c) {
        sum +=
            static_cast<uint32_t>((static_cast<int32_t>(mean[c]) - attributes.means_zero_point) *
                                  (static_cast<int32_t>(weight[c]) - attributes.w_zero_points[0]));
      }
      hidden[r] =
          element_for(tables, 0, ChannelEnds(hidden_ends, r).result(sum, attributes.hidden)) -
          attributes.hidden_zero_point;
    }
  }

  int32_t gate_of(const int32_t* hidden, uint32_t c) const {
    const IntegerRow weight(w, w.strides[0] + size_t{c} * w.strides[2], w.strides[1]);
    uint32_t sum = 0;
    for (uint32_t r = 0; r < w.dims[1]; ++r) {
      sum += static_cast<uint32_t>(hidden[r] *
                                   (static_cast<int32_t>(weight[r]) - attributes.w_zero_points[1]));
    }
    return element_for(tables, 1, ChannelEnds(gate_ends, c).result(sum, attributes.gate));
  }

  // One row of one channel.
  void multiply(size_t x_at, size_t y_at, int32_t gate) const {
    const QuantizedMulAttributes& product = attributes.product;
    const IntegerRow from(x, x_at, x.strides[3]);
    Dst<uint8_t> to = y.write<uint8_t>();  // of int8 its bits
    for (uint32_t v = 0; v < x.dims[3]; ++v) {
      const int32_t sum = (static_cast<int32_t>(from[v]) - product.zero_points[0]) *
                          (gate - product.zero_points[1]);
      to[y_at + size_t{v} * y.strides[3]] =
          static_cast<uint8_t>(finished(sum, product.multiplier, product.shift, product.output));
    }
  }

  Tensor x, means, w, hidden_ends, gate_ends, tables;
  OutTensor y;
  QuantizedExciteAttributes attributes;
};

void compute_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const QuantizedExcite*>(argument);
  const Tensor& x = task.x;
  int32_t hidden[kSqueezeRowsMax];
  for (uint32_t n = first; n < last; ++n) {
    task.find_hidden(n, hidden);
    for (uint32_t c = 0; c < x.dims[1]; ++c) {
      const int32_t gate = task.gate_of(hidden, c);
      const size_t x_at = size_t{n} * x.strides[0] + size_t{c} * x.strides[1];
      const size_t y_at = size_t{n} * task.y.strides[0] + size_t{c} * task.y.strides[1];
      for (uint32_t h = 0; h < x.dims[2]; ++h) {
        task.multiply(x_at + size_t{h} * x.strides[2], y_at + size_t{h} * task.y.strides[2], gate);
      }
    }
  }
}

Status run(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  QuantizedExcite task(step);
  const uint64_t each = uint64_t{task.x.dims[1]} *
                        (2 * uint64_t{task.w.dims[1]} + uint64_t{task.x.dims[2]} * task.x.dims[3]);
  split(platform, task.x.dims[0], task.x.dims[0] * each, compute_items, &task);
  return ok_status();
}

}  // namespace

constexpr Form kQuantizedExciteForm1 =
    make_form(Op::kQuantizedExcite, 1, {.parallel = true, .run = run});
ARENITE_FORM_CODE(QuantizedExcite, 1)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
