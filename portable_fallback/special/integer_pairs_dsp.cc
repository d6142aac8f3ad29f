// Products of two inputs of 8 bits with Arm's DSP extension.
#include "portable_fallback/fast/integer_pairs_dsp_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_pair.h"
#include "portable_fallback/shared/integer_pairs.h"

namespace arenite {
namespace {

void multiply_row(const void* context, const ElementwiseRow& row) {
  multiply_pairs_dsp(*static_cast<const IntegerPairs*>(context), pair_row(row));
}

Status run_multiply(const Step& step, const Platform& platform) {
  const IntegerPairs by = integer_pairs(step);
  return run_elementwise(step, platform, {multiply_row, &by, 2, kWorkOfScaledPair});
}

}  // namespace

constexpr Form kQuantizedMulForm8 = make_form(Op::kQuantizedMul, 8,
                                              {.parallel = true,
                                               .safe_distance = integer_pair_distance,
                                               .accepts = takes_integer_pairs,
                                               .run = run_multiply});
ARENITE_FORM_CODE(QuantizedMul, 8)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
