// Products of two inputs of 16-bit integers with Arm's MVE.
#include "portable_fallback/fast/int16_pairs_mve_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/int16_pairs.h"
#include "portable_fallback/shared/integer_pair.h"

namespace arenite {
namespace {

void multiply_row(const void* context, const ElementwiseRow& row) {
  multiply_int16_mve(*static_cast<const Int16Factor*>(context), int16_row(row));
}

Status run_multiply(const Step& step, const Platform& platform) {
  const Int16Factor by = int16_pairs(step);
  return run_elementwise(step, platform, {multiply_row, &by, 2, kWorkOfScaledPair});
}

}  // namespace

constexpr Form kQuantizedMulForm30 = make_form(Op::kQuantizedMul, 30,
                                               {.parallel = true,
                                                .safe_distance = integer_pair_distance,
                                                .accepts = takes_int16_pairs,
                                                .run = run_multiply});
ARENITE_FORM_CODE(QuantizedMul, 30)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
