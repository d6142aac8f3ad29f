// Four elements at a time, in lanes of 32 bits.
#include "portable_fallback/fast/integer_requantize_mve_kernel.h"

#include "portable_fallback/fast/integer_factor_mve.h"

namespace arenite {

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

void requantize_bytes_mve(const IntegerRequantize& by, Src<std::byte> x, Dst<std::byte> y,
                          uint32_t count) {
  const TwiceRoundedFour factor(by.factor);
  const int32_t added = by.added, zero_point = by.zero_point;
  const uint32x4_t flip = vdupq_n_u32(by.flip);
  const int32x4_t low = vdupq_n_s32(by.low), high = vdupq_n_s32(by.high);
  const auto* from = static_cast<const uint8_t*>(static_cast<const void*>(x));
  auto* to = static_cast<int8_t*>(static_cast<void*>(y));
  for (; count != 0; from += 4, to += 4) {
    const mve_pred16_t left = vctp32q(count);
    const uint32x4_t bytes = veorq_u32(vldrbq_z_u32(from, left), flip);
    const int32x4_t numbers = vaddq_n_s32(vreinterpretq_s32_u32(bytes), added);
    const int32x4_t results = vqaddq_n_s32(factor(numbers), zero_point);
    vstrbq_p_s32(to, vminq_s32(vmaxq_s32(results, low), high), left);
    count -= count < 4 ? count : 4;
  }
}

#else

void requantize_bytes_mve(const IntegerRequantize& by, Src<std::byte> x, Dst<std::byte> y,
                          uint32_t count) {
  requantize_each(by, x, y, count);
}

#endif

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
