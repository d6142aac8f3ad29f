// Four pairs at a time, in lanes of 32 bits, where elements are neighbors or one serves all.
#include "portable_fallback/fast/integer_pairs_float_mve_kernel.h"

#include "portable_fallback/fast/integer_pairs_mve.h"

namespace arenite {
namespace {

#if defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2) != 0 && defined(__OPTIMIZE__)

struct FloatFour {
  float32x4_t factor;
  int32x4_t operator()(int32x4_t products) const {
    return vcvtnq_s32_f32(vmulq_f32(vcvtq_f32_s32(products), factor));
  }
};

bool multiply_vectors(const FloatPairs& by, const IntegerPairRow& row) {
  // uint8 of either type, in the order of its numbers.
  const int32_t below = by.is_unsigned ? 0 : 128;
  const FourPairs<FloatFour> four = {{vdupq_n_f32(by.factor)},
                                     by.is_unsigned ? 0u : 0x80u,
                                     {-by.zero_points[0] - below, -by.zero_points[1] - below},
                                     by.zero_point,
                                     by.low,
                                     by.high};
  return multiply_fours(four, row);
}

#else

inline bool multiply_vectors(const FloatPairs&, const IntegerPairRow&) { return false; }

#endif

}  // namespace

void multiply_pairs_float_mve(const FloatPairs& by, const IntegerPairRow& row) {
  if (multiply_vectors(by, row)) return;
  by.is_unsigned ? multiply_float_each<uint8_t>(by, row) : multiply_float_each<int8_t>(by, row);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
