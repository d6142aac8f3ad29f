// Four pairs at a time, in lanes of 32 bits, where elements are neighbors or one serves all.
#include "portable_fallback/fast/integer_pairs_float_mve_kernel.h"

#include "portable_fallback/fast/mve.h"

namespace arenite {
namespace {

#if defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2) != 0 && defined(__OPTIMIZE__)

bool multiply_vectors(const FloatPairs& by, const IntegerPairRow& row) {
  const auto may_be = [](ptrdiff_t step) { return step == 0 || step == 1; };
  if (row.y_step != 1 || !may_be(row.steps[0]) || !may_be(row.steps[1])) return false;
  // uint8 of either type, in the order of its numbers.
  const uint32x4_t flip = vdupq_n_u32(by.is_unsigned ? 0 : 0x80);
  const int32_t below = by.is_unsigned ? 0 : 128;
  const int32_t added[2] = {-by.zero_points[0] - below, -by.zero_points[1] - below};
  const int32x4_t low = vdupq_n_s32(by.low), high = vdupq_n_s32(by.high);
  const float factor = by.factor;
  const int32_t zero_point = by.zero_point;
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
    const float32x4_t scaled = vmulq_n_f32(vcvtq_f32_s32(products), factor);
    const int32x4_t results = vqaddq_n_s32(vcvtnq_s32_f32(scaled), zero_point);
    vstrbq_p_s32(to, vminq_s32(vmaxq_s32(results, low), high), left);
    count -= count < 4 ? count : 4;
  }
  return true;
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
