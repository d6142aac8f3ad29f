// Float functions of our own: the same bits on every IEEE target, and no libm to link.
#pragma once

#include <bit>
#include <cstdint>

namespace arenite {

inline constexpr float kInfinity = __builtin_inff();

// e^x within 1 ulp (subnormal results too), NaN for NaN. Only +, -, * and integer operations in a
// fixed order, without branches, so that loops over it can be vectorised.
inline float exp_f32(float x) {
  // Beyond these the result is infinite or rounds to 0; NaN passes both comparisons unchanged.
  float limited = x > 89.0f ? 89.0f : x;
  limited = limited < -104.0f ? -104.0f : limited;
  // x = n * ln 2 + r. Adding 1.5 * 2^23 rounds to an integer, which then sits in the low bits.
  constexpr float kRounder = 12582912.0f;
  const float shifted = limited * 1.44269504088896341f + kRounder;
  const float n = shifted - kRounder;
  // ln 2 in two parts; the first has few bits, so that n times it is exact.
  float r = limited - n * 0.693359375f;
  r = r - n * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = (p * (r * r) + r) + 1.0f;
  // 2^n in two factors: neither leaves the normal range, and only the last product may round.
  const uint32_t steps = std::bit_cast<uint32_t>(shifted) - std::bit_cast<uint32_t>(kRounder);
  const uint32_t half = (steps + 256u) / 2u - 128u;
  const float scale0 = std::bit_cast<float>((half + 127u) << 23);
  const float scale1 = std::bit_cast<float>((steps - half + 127u) << 23);
  return p * scale0 * scale1;
}

// An instruction on every target with a single-precision FPU.
inline float sqrt_f32(float x) { return __builtin_sqrtf(x); }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
