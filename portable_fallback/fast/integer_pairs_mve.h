// Multiplies pairs of 8-bit integers with Arm's MVE, four at a time in lanes of 32 bits.
#pragma once

#include "portable_fallback/fast/integer_pairs.h"
#include "portable_fallback/fast/mve.h"

namespace arenite {
namespace {

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

// Turns four products into results: factor(products), plus a zero point, within low and high.
template <typename Factor>
struct FourPairs {
  Factor factor;
  uint32_t flip;  // 0x80 where elements are int8: makes them uint8, in the order of their numbers
  int32_t added[2];  // to each of these
  int32_t zero_point, low, high;
};

// Whether elements are neighbors, or one serves all, so that it multiplied them.
template <typename Factor>
[[gnu::always_inline]] inline bool multiply_fours(const FourPairs<Factor>& by,
                                                  const IntegerPairRow& row) {
  const auto may_be = [](ptrdiff_t step) { return step == 0 || step == 1; };
  if (row.y_step != 1 || !may_be(row.steps[0]) || !may_be(row.steps[1])) return false;
  const Factor factor = by.factor;
  const uint32x4_t flip = vdupq_n_u32(by.flip);
  const int32x4_t low = vdupq_n_s32(by.low), high = vdupq_n_s32(by.high);
  const int32_t added[2] = {by.added[0], by.added[1]}, zero_point = by.zero_point;
  const ptrdiff_t steps[2] = {row.steps[0], row.steps[1]};
  const uint8_t* from[2];
  for (uint32_t i = 0; i < 2; ++i) {
    from[i] = static_cast<const uint8_t*>(static_cast<const void*>(row.inputs[i]));
  }
  auto* to = static_cast<int8_t*>(static_cast<void*>(row.y));
  for (uint32_t count = row.count; count != 0; to += 4) {
    const mve_pred16_t left = vctp32q(count);
    const auto numbers = [&](uint32_t i) {
      const uint32x4_t bytes = steps[i] != 0 ? vldrbq_z_u32(from[i], left) : vdupq_n_u32(*from[i]);
      from[i] += 4 * steps[i];
      return vaddq_n_s32(vreinterpretq_s32_u32(veorq_u32(bytes, flip)), added[i]);
    };
    const int32x4_t products = vmulq_s32(numbers(0), numbers(1));
    const int32x4_t results = vqaddq_n_s32(factor(products), zero_point);
    vstrbq_p_s32(to, vminq_s32(vmaxq_s32(results, low), high), left);
    count -= count < 4 ? count : 4;
  }
  return true;
}

#endif

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
