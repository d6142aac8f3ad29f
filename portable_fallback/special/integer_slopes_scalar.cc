// PRelu of 8-bit integers on CPUs without instructions for their products.
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

void multiply_row(const void* context, const ElementwiseRow& row) {
  multiply_slopes_scalar(*static_cast<const IntegerSlopes*>(context), pair_row(row));
}

Status run_slopes(const Step& step, const Platform& platform) {
  const IntegerSlopes slopes = integer_slopes(step);
  return run_elementwise(step, platform, {multiply_row, &slopes, 2, kWorkOfScaledPair});
}

}  // namespace

constexpr Form kQuantizedPReluForm20 = make_form(Op::kQuantizedPRelu, 20,
                                                 {.parallel = true,
                                                  .safe_distance = integer_pair_distance,
                                                  .accepts = takes_slopes,
                                                  .run = run_slopes});
ARENITE_FORM_CODE(QuantizedPRelu, 20)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
