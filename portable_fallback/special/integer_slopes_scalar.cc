// PRelu of integers of 8 and 16 bits on CPUs without instructions for their products.
#include "ops/attributes.h"
#include "portable_fallback/fast/integer_slopes_scalar_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/even_factor.h"
#include "portable_fallback/shared/integer_pair.h"
#include "portable_fallback/shared/integer_pairs.h"

namespace arenite {
namespace {

// The form's types are those of 8 bits.
bool takes_slopes(const Step& step) {
  const auto by = step.attributes<QuantizedPReluAttributes>();
  if (by.output.rounding == Rounding::kTfliteDouble) return true;
  return by.output.rounding == Rounding::kHalfEven && is_even_factor(by.shifts[0]) &&
         is_even_factor(by.shifts[1]);
}

bool takes_int16_slopes(const Step& step) {
  return step.dtype(0) == DType::kInt16 &&
         step.attributes<QuantizedPReluAttributes>().output.rounding == Rounding::kTfliteDouble;
}

IntegerSlopes integer_slopes(const Step& step) {
  const auto by = step.attributes<QuantizedPReluAttributes>();
  IntegerSlopes slopes = {};
  slopes.to_even = by.output.rounding == Rounding::kHalfEven;
  for (uint32_t i = 0; i < 2; ++i) {
    slopes.zero_points[i] = by.zero_points[i];
    slopes.twice[i] = {by.multipliers[i], by.shifts[i]};
    if (slopes.to_even) slopes.even[i] = even_factor(by.multipliers[i], by.shifts[i]);
  }
  slopes.zero_point = by.output.zero_point;
  slopes.low = by.output.low;
  slopes.high = by.output.high;
  slopes.is_unsigned = step.dtype(0) == DType::kUint8;
  return slopes;
}

template <void (&kMultiply)(const IntegerSlopes& by, const IntegerPairRow& row)>
void multiply_row(const void* context, const ElementwiseRow& row) {
  kMultiply(*static_cast<const IntegerSlopes*>(context), pair_row(row));
}

template <void (&kMultiply)(const IntegerSlopes& by, const IntegerPairRow& row)>
Status run_slopes(const Step& step, const Platform& platform) {
  const IntegerSlopes slopes = integer_slopes(step);
  return run_elementwise(step, platform, {multiply_row<kMultiply>, &slopes, 2, kWorkOfScaledPair});
}

template <void (&kMultiply)(const IntegerSlopes& by, const IntegerPairRow& row)>
constexpr Form slopes_form(uint8_t number, bool (*accepts)(const Step& step)) {
  return make_form(Op::kQuantizedPRelu, number,
                   {.parallel = true,
                    .safe_distance = integer_pair_distance,
                    .accepts = accepts,
                    .run = run_slopes<kMultiply>});
}

}  // namespace

constexpr Form kQuantizedPReluForm20 = slopes_form<multiply_slopes_scalar>(20, takes_slopes);
ARENITE_FORM_CODE(QuantizedPRelu, 20)
constexpr Form kQuantizedPReluForm30 =
    slopes_form<multiply_int16_slopes_scalar>(30, takes_int16_slopes);
ARENITE_FORM_CODE(QuantizedPRelu, 30)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
