// Four numbers at a time, in lanes of 32 bits.
#include "portable_fallback/fast/int16_requantize_mve_kernel.h"

#include "portable_fallback/fast/int16_pairs_each.h"
#include "portable_fallback/fast/integer_factor_mve.h"

namespace arenite {

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

void rescale_int16_mve(const Int16Factor& by, Src<int16_t> x, Dst<int16_t> y, uint32_t count) {
  const TwiceRoundedFour factor(by.factor);
  const int32x4_t low = vdupq_n_s32(by.low), high = vdupq_n_s32(by.high);
  const int32_t zero_point = by.zero_point;
  for (; count != 0; x += 4, y += 4) {
    const mve_pred16_t left = vctp32q(count);
    const int32x4_t results = vqaddq_n_s32(factor(vldrhq_z_s32(x, left)), zero_point);
    vstrhq_p_s32(y, vminq_s32(vmaxq_s32(results, low), high), left);
    count -= count < 4 ? count : 4;
  }
}

#else

void rescale_int16_mve(const Int16Factor& by, Src<int16_t> x, Dst<int16_t> y, uint32_t count) {
  rescale_each(by, x, y, count);
}

#endif

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
