// Quantized convolution, to whose results a residual comes: a channel of a place at a time.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/conv_with_ends.h"
#include "portable_fallback/shared/quantized_sum.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

struct QuantizedConvAdd {
  explicit QuantizedConvAdd(const Step& step)
      : conv(step, step.attributes<QuantizedConvAddAttributes>().conv),
        r(step.input(kResidualInput)),
        sum(step.attributes<QuantizedConvAddAttributes>().sum) {}

  ConvWithEnds conv;
  Tensor r;
  QuantizedAddAttributes sum;
};

void compute_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& [conv, residual, sum] = *static_cast<const QuantizedConvAdd*>(argument);
  Dst<uint8_t> y = conv.y.write<uint8_t>();  // of int8 the same bits
  for (uint32_t item = first; item < last; ++item) {
    const ConvItem at = conv.item(item);
    for (uint32_t ow = 0; ow < conv.y.dims[3]; ++ow) {
      const size_t y_at = conv.y_offset(at) + size_t{ow} * conv.y.strides[3];
      const size_t r_at = size_t{at.n} * residual.strides[0] + size_t{at.o} * residual.strides[1] +
                          size_t{at.oh} * residual.strides[2] + size_t{ow} * residual.strides[3];
      const IntegerRow r(residual, r_at, residual.strides[1]);
      for (uint32_t j = 0; j < at.count; ++j) {
        const int32_t number = conv.result(at, at.o + j, ow);
        y[y_at + size_t{j} * conv.y.strides[1]] =
            static_cast<uint8_t>(QuantizedSum::apply(sum, number, static_cast<int32_t>(r[j])));
      }
    }
  }
}

Status run(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  QuantizedConvAdd conv_add(step);
  split(platform, conv_add.conv.items(), conv_add.conv.work(), compute_items, &conv_add);
  return ok_status();
}

}  // namespace

constexpr Form kQuantizedConvAddForm1 =
    make_form(Op::kQuantizedConvAdd, 1, {.parallel = true, .run = run});
ARENITE_FORM_CODE(QuantizedConvAdd, 1)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
