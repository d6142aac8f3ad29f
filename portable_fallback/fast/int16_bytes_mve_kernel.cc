// Four numbers at a time, in lanes of 32 bits.
#include "portable_fallback/fast/int16_bytes_mve_kernel.h"

#include "portable_fallback/fast/int16_bytes.h"
#include "portable_fallback/fast/integer_factor_mve.h"

namespace arenite {

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

namespace {

// Loads four numbers at a time, and stores their results: the last ones as `left` says.
template <typename Load, typename Store>
inline void rescale_fours(const IntegerRequantize& by, uint32_t count, Load load, Store store) {
  const TwiceRoundedFour factor(by.factor);
  const int32_t added = by.added, zero_point = by.zero_point;
  const int32x4_t low = vdupq_n_s32(by.low), high = vdupq_n_s32(by.high);
  while (count != 0) {
    const mve_pred16_t left = vctp32q(count);
    const int32x4_t results = vqaddq_n_s32(factor(vaddq_n_s32(load(left), added)), zero_point);
    store(vminq_s32(vmaxq_s32(results, low), high), left);
    count -= count < 4 ? count : 4;
  }
}

}  // namespace

void narrow_int16_mve(const IntegerRequantize& by, Src<int16_t> x, Dst<std::byte> y,
                      uint32_t count) {
  auto* to = static_cast<int8_t*>(static_cast<void*>(y));
  rescale_fours(
      by, count,
      [&](mve_pred16_t left) {
        const int32x4_t numbers = vldrhq_z_s32(x, left);
        x += 4;
        return numbers;
      },
      [&](int32x4_t results, mve_pred16_t left) {
        vstrbq_p_s32(to, results, left);
        to += 4;
      });
}

void widen_bytes_mve(const IntegerRequantize& by, Src<std::byte> x, Dst<int16_t> y,
                     uint32_t count) {
  const auto* from = static_cast<const uint8_t*>(static_cast<const void*>(x));
  const uint32x4_t flip = vdupq_n_u32(by.flip);
  rescale_fours(
      by, count,
      [&](mve_pred16_t left) {
        const uint32x4_t bytes = veorq_u32(vldrbq_z_u32(from, left), flip);
        from += 4;
        return vreinterpretq_s32_u32(bytes);
      },
      [&](int32x4_t results, mve_pred16_t left) {
        vstrhq_p_s32(y, results, left);
        y += 4;
      });
}

#else

void narrow_int16_mve(const IntegerRequantize& by, Src<int16_t> x, Dst<std::byte> y,
                      uint32_t count) {
  narrow_each(by, x, y, count);
}

void widen_bytes_mve(const IntegerRequantize& by, Src<std::byte> x, Dst<int16_t> y,
                     uint32_t count) {
  widen_each(by, x, y, count);
}

#endif

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
