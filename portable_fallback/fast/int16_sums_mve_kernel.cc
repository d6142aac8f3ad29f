// Scales four numbers of both inputs in lanes of 32 bits, adds them and scales the sums.
#include "portable_fallback/fast/int16_sums_mve_kernel.h"

#include "portable_fallback/fast/int16_pairs_each.h"
#include "portable_fallback/fast/integer_factor_mve.h"

namespace arenite {

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

namespace {

TwiceRoundedFour four_of(const DspFactor& factor) {
  return TwiceRoundedFour({factor.multiplier, -static_cast<int32_t>(factor.right)});
}

}  // namespace

void add_int16_mve(const Int16SumFactors& by, const Int16PairRow& row) {
  if (!row.are_neighbors()) return add_each(by, row);
  const TwiceRoundedFour first = four_of(by.factors[0]), second = four_of(by.factors[1]);
  const TwiceRoundedFour whole = four_of(by.whole);
  const int32x4_t low = vdupq_n_s32(by.low), high = vdupq_n_s32(by.high);
  const int32_t power = 1 << by.left, factor = by.subtracts ? -1 : 1, zero_point = by.zero_point;
  const int16_t* a = row.inputs[0];
  const int16_t* b = row.inputs[1];
  int16_t* y = row.y;
  for (uint32_t count = row.count; count != 0; a += 4, b += 4, y += 4) {
    const mve_pred16_t left = vctp32q(count);
    const int32x4_t of_a = first(vmulq_n_s32(vldrhq_z_s32(a, left), power));
    const int32x4_t of_b = second(vmulq_n_s32(vldrhq_z_s32(b, left), power));
    const int32x4_t sums = vmlaq_n_s32(of_a, of_b, factor);
    const int32x4_t results = vaddq_n_s32(whole(sums), zero_point);
    vstrhq_p_s32(y, vminq_s32(vmaxq_s32(results, low), high), left);
    count -= count < 4 ? count : 4;
  }
}

#else

void add_int16_mve(const Int16SumFactors& by, const Int16PairRow& row) { add_each(by, row); }

#endif

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
