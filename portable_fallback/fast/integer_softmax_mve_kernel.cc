// Four exponentials and four reciprocals at once; VQRDMULH is the product of numbers in [-1, 1).
#include "portable_fallback/fast/integer_softmax_mve_kernel.h"

#include "portable_fallback/fast/integer_softmax_rows.h"
#include "portable_fallback/fast/mve.h"

namespace arenite {
namespace {

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

class VectorSoftmax {
 public:
  explicit VectorSoftmax(const IntegerSoftmax& softmax)
      : multiplier_(softmax.factor.multiplier),
        left_(softmax.factor.shift > 0 ? softmax.factor.shift : 0),
        right_(softmax.factor.shift > 0     ? 0
               : softmax.factor.shift < -31 ? 32
                                            : -softmax.factor.shift),
        diff_min_(softmax.diff_min) {}

  [[gnu::noinline]] void exps(int32_t* numbers, uint32_t count) const {
    for (; count != 0; numbers += 4) {
      const mve_pred16_t left = vctp32q(count);
      vstrwq_p_s32(numbers, exp(vldrwq_z_s32(numbers, left)), left);
      count -= count < 4 ? count : 4;
    }
  }

  // Makes reciprocals of normalized numbers.
  static void reciprocals(uint32_t* numbers, uint32_t count) {
    for (; count != 0; numbers += 4) {
      const mve_pred16_t left = vctp32q(count);
      const int32x4_t reciprocals = one_over_one_plus(vldrwq_z_u32(numbers, left));
      vstrwq_p_u32(numbers, vreinterpretq_u32_s32(reciprocals), left);
      count -= count < 4 ? count : 4;
    }
  }

 private:
  // Negative numbers, or 0, divided by 2^right: halves go away from zero.
  static int32x4_t divided(int32x4_t numbers, int32_t right) {
    return right == 0 ? numbers : vrshlq_s32(vqsubq_n_s32(numbers, 1), vdupq_n_s32(-right));
  }

  static int32x4_t exp_below_zero(int32x4_t x) {
    const int32x4_t d = vaddq_n_s32(x, 1 << 28);
    const int32x4_t d2 = vqrdmulhq_s32(d, d);
    const int32x4_t d3 = vqrdmulhq_s32(d2, d);
    const int32x4_t d4 = vqrdmulhq_s32(d2, d2);
    const int32x4_t cubes = vqrdmulhq_n_s32(vaddq_s32(vrshrq_n_s32(d4, 2), d3), kThird);
    const int32x4_t squares = vaddq_s32(cubes, d2);
    // Halves go away from zero: up, if negative numbers are one lower.
    const int32x4_t half = vrshrq_n_s32(vaddq_s32(squares, vshrq_n_s32(squares, 31)), 1);
    return vaddq_n_s32(vqrdmulhq_n_s32(vaddq_s32(d, half), kExpOfEighth), kExpOfEighth);
  }

  // Times the power whose bit is set, 24 + k.
  template <int kBit>
  static int32x4_t with_power(int32x4_t number, int32x4_t quarters) {
    const mve_pred16_t set = vcmpltq_n_s32(vshlq_n_s32(quarters, 7 - kBit), 0);
    return vqrdmulhq_m_n_s32(number, number, kPowersOfE[kBit], set);
  }

  int32x4_t exp(int32x4_t differences) const {
    const int32x4_t shifted = vqshlq_s32(differences, vdupq_n_s32(left_));
    const int32x4_t x = divided(vqrdmulhq_n_s32(shifted, multiplier_), right_);
    const int32x4_t rest =
        vsubq_n_s32(vandq_s32(x, vdupq_n_s32(kQuarterOfFive - 1)), kQuarterOfFive);
    const int32x4_t quarters = vsubq_s32(rest, x);
    int32x4_t result = exp_below_zero(vshlq_n_s32(rest, 5));
    result = with_power<0>(result, quarters);
    result = with_power<1>(result, quarters);
    result = with_power<2>(result, quarters);
    result = with_power<3>(result, quarters);
    result = with_power<4>(result, quarters);
    result = with_power<5>(result, quarters);
    result = with_power<6>(result, quarters);
    result = vpselq_s32(vdupq_n_s32(kOneOfNone), result, vcmpeqq_n_s32(x, 0));
    return vpselq_s32(vdupq_n_s32(0), result, vcmpltq_n_s32(differences, diff_min_));
  }

  static int32x4_t one_over_one_plus(uint32x4_t x) {
    const int32x4_t d = vreinterpretq_s32_u32(vaddq_n_u32(vshrq_n_u32(x, 1), 1u << 30));
    int32x4_t y = vaddq_n_s32(vqrdmulhq_n_s32(d, kNewtonSlope), kNewtonFirst);
    for (uint32_t i = 0; i < 3; ++i) {
      const int32x4_t rest = vsubq_s32(vdupq_n_s32(1 << 29), vqrdmulhq_s32(d, y));
      y = vaddq_s32(y, vshlq_n_s32(vqrdmulhq_s32(y, rest), 2));
    }
    return vqshlq_n_s32(y, 1);
  }

  int32_t multiplier_, left_, right_, diff_min_;
};

#else

using VectorSoftmax = ScalarSoftmax;

#endif

}  // namespace

void softmax_rows_mve(const IntegerSoftmax& softmax, const SoftmaxRows& rows) {
  softmax_rows<VectorSoftmax>(softmax, rows);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
