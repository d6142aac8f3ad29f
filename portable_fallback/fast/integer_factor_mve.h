// Multiplies four sums of any size by a factor as kTfliteDouble rounds: twice, halves of the
// product up, halves of the quotient away from zero.
#pragma once

#include "portable_fallback/fast/integer_factor_dsp.h"
#include "portable_fallback/fast/mve.h"

namespace arenite {
namespace {

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

class TwiceRoundedFour {
 public:
  explicit TwiceRoundedFour(const FactorNumbers& factor)
      : left_(vdupq_n_s32(factor.shift > 0 ? factor.shift : 0)),
        right_(vdupq_n_s32(factor.shift < -31 ? -32
                           : factor.shift < 0 ? factor.shift
                                              : 0)),
        multiplier_(factor.multiplier) {}

  int32x4_t operator()(int32x4_t sums) const {
    const int32x4_t products = vqrdmulhq_n_s32(vqshlq_s32(sums, left_), multiplier_);
    // Halves go up. Negative numbers that are divided, those of which both signs are set, are one
    // lower.
    return vrshlq_s32(vaddq_s32(products, vshrq_n_s32(vandq_s32(products, right_), 31)), right_);
  }

 private:
  int32x4_t left_, right_;
  int32_t multiplier_;
};

#endif

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
