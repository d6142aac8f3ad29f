// Makes results of 8 bits of sums that are rounded once, four outputs at a time: as float32
// arithmetic rounds them, halves to even, or halves up.
#pragma once

#include "portable_fallback/fast/integer_finish_mve.h"

namespace arenite {
namespace {

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

#if (__ARM_FEATURE_MVE & 2) != 0
constexpr bool kHasFloatVectors = true;
// The numbers of four sums in float32, which the vectors round to the nearest, halves to even.
inline float32x4_t float_factors(int32x4_t multipliers, int32x4_t shifts) {
  const int32x4_t exponents = vshlq_n_s32(vaddq_n_s32(shifts, 127 - 31), 23);
  return vmulq_f32(vcvtq_f32_s32(multipliers), vreinterpretq_f32_s32(exponents));
}
inline int32x4_t in_float32(int32x4_t sums, int32x4_t multipliers, int32x4_t shifts) {
  return vcvtnq_s32_f32(vmulq_f32(vcvtq_f32_s32(sums), float_factors(multipliers, shifts)));
}
#else
constexpr bool kHasFloatVectors = false;
inline int32x4_t in_float32(int32x4_t sums, int32x4_t, int32x4_t) { return sums; }
#endif

// sums * multipliers / 2^(31 - shifts), shifts in [-31, -1]. The upper half of the doubled product
// is divided by 2^-shifts; what is left of it decides, and of halves to even the lower half.
template <bool kToEven>
inline int32x4_t divided(int32x4_t sums, int32x4_t multipliers, int32x4_t shifts) {
  const int32x4_t one = vdupq_n_s32(1);
  const int32x4_t right = vnegq_s32(shifts);
  const int32x4_t half = vshlq_s32(one, vsubq_n_s32(right, 1));
  const int32x4_t high = vqdmulhq_s32(sums, multipliers);
  const int32x4_t whole = vshlq_s32(high, shifts);
  int32x4_t over = vsubq_s32(vsubq_s32(high, vshlq_s32(whole, right)), half);
  // Predicates would be shorter, but GCC 12 does not compile them here.
  if constexpr (kToEven) {
    const int32x4_t low = vshlq_n_s32(vmulq_s32(sums, multipliers), 1);
    const int32x4_t any_bit = vshrq_n_s32(vorrq_s32(low, vnegq_s32(low)), 31);
    over = vaddq_s32(over, vandq_s32(vorrq_s32(whole, any_bit), one));
    return vsubq_s32(whole, vshrq_n_s32(vnegq_s32(over), 31));
  }
  return vaddq_s32(vaddq_s32(whole, one), vshrq_n_s32(over, 31));
}

[[gnu::noinline]] void finish_once(const IntegerResults& results, uint32_t output, uint32_t count,
                                   const PlacesOfSums& from, const PlacesOfResults& to) {
  const bool same = results.factor_step == 0;
  const int32x4_t low = vdupq_n_s32(results.low);
  const int32x4_t high = vdupq_n_s32(results.high);
  for (uint32_t j = 0; j < count; j += 4) {
    const mve_pred16_t left = vctp32q(count - j);
    const int32x4_t biases = vldrwq_z_s32(from.biases + j, left);
    const int32x4_t multipliers = same ? vdupq_n_s32(*results.multipliers)
                                       : vldrwq_z_s32(results.multipliers + output + j, left);
    const int32x4_t shifts =
        same ? vdupq_n_s32(*results.shifts) : vldrbq_z_s32(results.shifts + output + j, left);
    const int32_t* at = from.sums + j;
    int8_t* y = to.y + j;
    for (uint32_t p = from.places; p != 0; --p, at += from.to_next, y += to.y_w) {
      const int32x4_t sums = vaddq_s32(vldrwq_s32(at), biases);
      int32x4_t numbers;
      if (results.halves_to_even) {
        numbers = divided<true>(sums, multipliers, shifts);
      } else if (results.halves_up) {
        numbers = divided<false>(sums, multipliers, shifts);
      } else {
        numbers = in_float32(sums, multipliers, shifts);
      }
      numbers = vminq_s32(vmaxq_s32(vqaddq_n_s32(numbers, results.zero_point), low), high);
      vstrbq_p_s32(y, numbers, left);
    }
  }
}

#else

constexpr bool kHasFloatVectors = false;

inline void finish_once(const IntegerResults& results, uint32_t output, uint32_t count,
                        const PlacesOfSums& from, const PlacesOfResults& to) {
  finish_each(results, output, count, from, to);
}

#endif

// As finish(), of results that find_single_roundings() was asked about.
template <bool kMany>
[[gnu::always_inline]] inline void finish_any(const IntegerResults& results, uint32_t output,
                                              uint32_t count, const PlacesOfSums& from,
                                              const PlacesOfResults& to) {
  const bool once =
      results.halves_to_even || results.halves_up || (kHasFloatVectors && results.in_float32);
  if (once && to.y_c == 1 && results.factor_step <= 1) {
    finish_once(results, output, count, from, to);
  } else {
    finish<kMany>(results, output, count, from, to);
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
