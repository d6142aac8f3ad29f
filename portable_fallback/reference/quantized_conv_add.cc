// Quantized convolution, to whose results a residual comes: a channel of a place at a time.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/conv_results.h"
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
  const auto& of = *static_cast<const QuantizedConvAdd*>(argument);
  const Tensor& r = of.r;
  store_conv_results(of.conv, first, last, [&](const ConvItem& at, uint32_t o, uint32_t ow) {
    const size_t r_at = size_t{at.n} * r.strides[0] + size_t{o} * r.strides[1] +
                        size_t{at.oh} * r.strides[2] + size_t{ow} * r.strides[3];
    const auto added = static_cast<int32_t>(IntegerRow(r, r_at, r.strides[1])[0]);
    return static_cast<uint8_t>(QuantizedSum::apply(of.sum, of.conv.result(at, o, ow), added));
  });
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
