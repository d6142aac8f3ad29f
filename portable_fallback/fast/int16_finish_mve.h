// Makes results of 16 bits of sums of 16-bit activations and 8-bit weights with Arm's MVE, four
// columns at a time.
#pragma once

#include "portable_fallback/fast/int16_finish.h"

#ifdef __ARM_FEATURE_MVE
#include <arm_mve.h>
#endif

namespace arenite {
namespace {

// Adds biases to sums[count] of each place, `sum_w` apart, and writes their results.
inline void finish_int16(const Int16Results& results, uint32_t output, uint32_t count,
                         int32_t* sums, size_t sum_w, uint32_t places, Dst<int16_t> y, size_t y_c,
                         size_t y_w) {
#ifdef __ARM_FEATURE_MVE
  if (results.sums == Int16Sums::kSmall) {
    const uint32x4_t lanes = vidupq_n_u32(0, 1);
    const uint32x4_t factors = vmulq_n_u32(lanes, results.factor_step);
    const uint32x4_t biases = vmulq_n_u32(lanes, 8 * results.bias_step);
    const uint32x4_t to = vmulq_n_u32(lanes, y_c);
    const auto* bias = static_cast<const int32_t*>(
        static_cast<const void*>(results.wide_bias + output * results.bias_step));
    const int32_t* multipliers = results.multipliers + output * results.factor_step;
    const int8_t* shifts = results.shifts + output * results.factor_step;
    const int32x4_t low = vdupq_n_s32(results.low), high = vdupq_n_s32(results.high);
    const uint32x4_t upper = vdupq_n_u32(0xffff0000);
    for (uint32_t c = 0; c < count; c += 4) {
      const mve_pred16_t left = vctp32q(count - c);
      // Saturates where rounding would.
      const int32x4_t multiplier = vreinterpretq_s32_u32(
          vandq_u32(vreinterpretq_u32_s32(vqaddq_n_s32(
                        vldrwq_gather_shifted_offset_z_s32(multipliers, factors, left), 1 << 15)),
                    upper));
      const int32x4_t right = vaddq_n_s32(vldrbq_gather_offset_z_s32(shifts, factors, left), 1);
      const int32x4_t begin = vldrwq_gather_offset_z_s32(bias, biases, left);
      for (uint32_t i = 0; i < places; ++i) {
        const int32x4_t sum = vaddq_s32(vldrwq_s32(sums + i * sum_w + c), begin);
        const int32x4_t number =
            vaddq_n_s32(vrshlq_s32(vmulhq_s32(sum, multiplier), right), results.zero_point);
        const int32x4_t result = vminq_s32(vmaxq_s32(number, low), high);
        Dst<int16_t> at = y + (c * y_c + i * y_w);
        if (y_c == 1) {
          vstrhq_p_s32(at, result, left);
        } else {
          vstrhq_scatter_shifted_offset_p_s32(at, to, result, left);
        }
      }
      multipliers += 4 * results.factor_step;
      shifts += 4 * results.factor_step;
      bias += 8 * results.bias_step;
    }
    return;
  }
#endif
  for (uint32_t j = 0; j < count; ++j) {
    const auto bias = static_cast<uint32_t>(results.low_bias_of(output + j));
    for (uint32_t i = 0; i < places; ++i) {
      int32_t& sum = sums[i * sum_w + j];
      sum = static_cast<int32_t>(static_cast<uint32_t>(sum) + bias);
    }
  }
  finish_any(results, output, count, sums, 1, sum_w, places, y, y_c, y_w);
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
