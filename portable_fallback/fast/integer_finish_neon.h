// Makes results of 8 bits of sums, sixteen outputs at a time, with NEON: of each way of rounding
// that vectors know.
#pragma once

#if defined(__aarch64__)

#include <arm_neon.h>

#include "portable_fallback/fast/integer_ways.h"

namespace arenite {
namespace {

// Sixteen words, or sums.
struct Sixteen {
  int32x4_t fours[4];
};

inline Sixteen all_of(int32_t number) {
  const int32x4_t four = vdupq_n_s32(number);
  return {{four, four, four, four}};
}
// The first `count` of sixteen, then zeros; of what lies behind them nothing is read.
inline Sixteen load_sums(const int32_t* from, uint32_t count) {
  int32_t some[16] = {};
  if (count < 16) {
    for (uint32_t i = 0; i < count; ++i) some[i] = from[i];
    from = some;
  }
  return {{vld1q_s32(from), vld1q_s32(from + 4), vld1q_s32(from + 8), vld1q_s32(from + 12)}};
}

// What sixteen outputs need to make results of their sums, in every place.
template <Way kWay>
class SixteenOutputs {
 public:
  // Outputs `output` and the next, of which `count` are there.
  SixteenOutputs(const IntegerResults& results, uint32_t output, uint32_t count)
      : zero_point_(vdupq_n_s32(results.zero_point)),
        low_(vdupq_n_s32(results.low)),
        high_(vdupq_n_s32(results.high)) {
    biases_ =
        results.bias_step == 0 ? all_of(*results.bias) : load_sums(results.bias + output, count);
    if (results.factor_step == 0) {
      multipliers_ = all_of(*results.multipliers);
      shifts_ = all_of(*results.shifts);
      return;
    }
    multipliers_ = load_sums(results.multipliers + output, count);
    int32_t shifts[16] = {};
    for (uint32_t i = 0; i < count && i < 16; ++i) shifts[i] = results.shifts[output + i];
    shifts_ = load_sums(shifts, 16);
  }

  // Results of 8 bits.
  int8x16_t of(const Sixteen& sums) const {
    int16x4_t numbers[4];
    for (uint32_t i = 0; i < 4; ++i) {
      const int32x4_t sum = vaddq_s32(sums.fours[i], biases_.fours[i]);
      const int32x4_t number =
          vqaddq_s32(rounded(sum, multipliers_.fours[i], shifts_.fours[i]), zero_point_);
      numbers[i] = vmovn_s32(vmaxq_s32(vminq_s32(number, high_), low_));
    }
    return vcombine_s8(vmovn_s16(vcombine_s16(numbers[0], numbers[1])),
                       vmovn_s16(vcombine_s16(numbers[2], numbers[3])));
  }

 private:
  static int32x4_t rounded(int32x4_t sums, int32x4_t multipliers, int32x4_t shifts) {
    if constexpr (kWay == Way::kTwice) {
      // Halves go up, then away from zero: negative numbers are one less for that.
      const int32x4_t high = vqrdmulhq_s32(sums, multipliers);
      const int32x4_t lower = vshrq_n_s32(vandq_s32(high, shifts), 31);
      return vrshlq_s32(vqaddq_s32(high, lower), shifts);
    } else if constexpr (kWay == Way::kFloat32) {
      const int32x4_t exponents = vshlq_n_s32(vaddq_s32(shifts, vdupq_n_s32(127 - 31)), 23);
      const float32x4_t factors =
          vmulq_f32(vcvtq_f32_s32(multipliers), vreinterpretq_f32_s32(exponents));
      return vcvtnq_s32_f32(vmulq_f32(vcvtq_f32_s32(sums), factors));
    } else {
      const int32x4_t right = vsubq_s32(shifts, vdupq_n_s32(31));
      const int64x2_t first = rounded_once(vmull_s32(vget_low_s32(sums), vget_low_s32(multipliers)),
                                           vmovl_s32(vget_low_s32(right)));
      const int64x2_t last = rounded_once(vmull_high_s32(sums, multipliers), vmovl_high_s32(right));
      return vmovn_high_s64(vmovn_s64(first), last);
    }
  }

  // Times 2^shift, -62 to -32, halves to even or up.
  static int64x2_t rounded_once(int64x2_t product, int64x2_t shift) {
    if constexpr (kWay == Way::kOnceToEven) {
      // One less goes down where the quotient is even.
      const int64x2_t quotient = vshlq_s64(product, shift);
      const int64x2_t one = vdupq_n_s64(1);
      product = vsubq_s64(product, vbicq_s64(one, quotient));
    }
    return vrshlq_s64(product, shift);
  }

  Sixteen biases_, multipliers_, shifts_;
  int32x4_t zero_point_, low_, high_;
};

// Four times sixteen results, in two halves.
struct FourBytes {
  int8x16x2_t first, last;
};
inline void store_halves(int8_t* to, const FourBytes& bytes) {
  vst1q_s8_x2(to, bytes.first);
  vst1q_s8_x2(to + 32, bytes.last);
}

// Makes results of four times sixteen sums.
class FourResults {
 public:
  explicit FourResults(const IntegerResults&) {}

  // The results of sums[0], then those of the next; of two outputs in turn, or of one.
  template <Way kWay, uint32_t kOutputs>
  FourBytes of(const SixteenOutputs<kWay> (&outputs)[kOutputs], const Sixteen* sums) const {
    int8x16_t bytes[4];
    for (uint32_t i = 0; i < 4; ++i) bytes[i] = outputs[i % kOutputs].of(sums[i]);
    return {{{bytes[0], bytes[1]}}, {{bytes[2], bytes[3]}}};
  }
};

}  // namespace
}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0
