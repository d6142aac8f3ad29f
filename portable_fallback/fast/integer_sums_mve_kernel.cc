// Scales four numbers of both inputs in 32 bits, adds them and scales the sums. Rows with gaps are
// the DSP extension's, which each CPU with MVE has.
#include "portable_fallback/fast/integer_sums_mve_kernel.h"

#include "portable_fallback/fast/mve.h"

namespace arenite {

#ifdef __ARM_FEATURE_MVE
namespace {

// Multiplies by a factor and divides: halves go away from zero, up if negative numbers are one
// lower.
struct Scale {
  explicit Scale(const DspFactor& factor)
      : multiplier(factor.multiplier), shift(-static_cast<int32_t>(factor.right)) {}

  int32x4_t operator()(int32x4_t number) const {
    const int32x4_t product = vqrdmulhq_n_s32(number, multiplier);
    if (shift == 0) return product;
    return vrshlq_n_s32(vqaddq_s32(product, vshrq_n_s32(product, 31)), shift);
  }

  int32_t multiplier, shift;
};

}  // namespace

void add_sums_mve(const DspSums& sums, const DspSumRow& row) {
  if (row.steps[0] != 1 || row.steps[1] != 1 || row.y_step != 1) return add_sums_dsp(sums, row);
  // Copies: what is written could be the sums' own bytes.
  const DspSums of = sums;
  const Scale first(of.factors[0]), second(of.factors[1]), whole(of.sum);
  const auto* a = static_cast<const uint8_t*>(static_cast<const void*>(row.inputs[0]));
  const auto* b = static_cast<const uint8_t*>(static_cast<const void*>(row.inputs[1]));
  auto* y = static_cast<int8_t*>(static_cast<void*>(row.y));
  const int32x4_t low = vdupq_n_s32(of.low);
  const int32x4_t high = vdupq_n_s32(of.high);
  const auto left_shift = static_cast<int32_t>(of.left);
  // Bytes are moved up by 128, so that both types widen in the same way.
  const uint32x4_t flip = vdupq_n_u32(of.flip ^ 0x80);
  const int32_t added_a = of.added[0] - 128, added_b = of.added[1] - 128;
  const auto number = [&](const uint8_t* x, int32_t added, mve_pred16_t left) {
    const auto bytes = vreinterpretq_s32_u32(veorq_u32(vldrbq_z_u32(x, left), flip));
    return vshlq_r_s32(vaddq_n_s32(bytes, added), left_shift);
  };
  for (uint32_t count = row.count; count != 0; a += 4, b += 4, y += 4) {
    const mve_pred16_t left = vctp32q(count);
    const int32x4_t one = first(number(a, added_a, left));
    const int32x4_t other = second(number(b, added_b, left));
    const int32x4_t sum = of.subtracts ? vsubq_s32(one, other) : vaddq_s32(one, other);
    const int32x4_t moved = vqaddq_n_s32(whole(sum), of.zero_point);
    vstrbq_p_s32(y, vminq_s32(vmaxq_s32(moved, low), high), left);
    count -= count < 4 ? count : 4;
  }
}

#else

void add_sums_mve(const DspSums& sums, const DspSumRow& row) { add_sums_dsp(sums, row); }

#endif

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
