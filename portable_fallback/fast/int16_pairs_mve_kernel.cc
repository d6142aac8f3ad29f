// Four pairs at a time, in lanes of 32 bits, where elements are neighbors.
#include "portable_fallback/fast/int16_pairs_mve_kernel.h"

#include "portable_fallback/fast/int16_pairs_each.h"
#include "portable_fallback/fast/integer_factor_mve.h"

namespace arenite {

void multiply_int16_mve(const Int16Factor& by, const Int16PairRow& row) {
#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)
  if (row.are_neighbors()) {
    const TwiceRoundedFour factor(by.factor);
    const int32x4_t low = vdupq_n_s32(by.low), high = vdupq_n_s32(by.high);
    const int32_t zero_point = by.zero_point;
    const int16_t* a = row.inputs[0];
    const int16_t* b = row.inputs[1];
    int16_t* y = row.y;
    for (uint32_t count = row.count; count != 0; a += 4, b += 4, y += 4) {
      const mve_pred16_t left = vctp32q(count);
      const int32x4_t products = vmulq_s32(vldrhq_z_s32(a, left), vldrhq_z_s32(b, left));
      const int32x4_t results = vqaddq_n_s32(factor(products), zero_point);
      vstrhq_p_s32(y, vminq_s32(vmaxq_s32(results, low), high), left);
      count -= count < 4 ? count : 4;
    }
    return;
  }
#endif
  multiply_each(by, row);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
