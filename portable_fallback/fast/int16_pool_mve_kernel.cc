// Adds four channels, widened to 32 bits, to a vector of sums, two vectors at a time.
#include "portable_fallback/fast/int16_pool_mve_kernel.h"

#include "portable_fallback/fast/mve.h"

namespace arenite {

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

void sum_taps_int16_mve(const Int16PoolTaps& taps, uint32_t channels, uint32_t* sums) {
  Src<int16_t> x = taps.x;
  while (channels > 4) {
    const mve_pred16_t second = vctp32q(channels - 4);
    int32x4_t low = vdupq_n_s32(0), high = vdupq_n_s32(0);
    for_each_tap(taps, x, [&](Src<int16_t> at) {
      low = vaddq_s32(low, vldrhq_s32(at));
      high = vaddq_s32(high, vldrhq_z_s32(at + 4, second));
    });
    vstrwq_u32(sums, vreinterpretq_u32_s32(low));
    vstrwq_p_u32(sums + 4, vreinterpretq_u32_s32(high), second);
    x += 8;
    sums += 8;
    channels -= channels < 8 ? channels : 8;
  }
  if (channels == 0) return;
  const mve_pred16_t left = vctp32q(channels);
  int32x4_t all = vdupq_n_s32(0);
  for_each_tap(taps, x, [&](Src<int16_t> at) { all = vaddq_s32(all, vldrhq_z_s32(at, left)); });
  vstrwq_p_u32(sums, vreinterpretq_u32_s32(all), left);
}

#else

void sum_taps_int16_mve(const Int16PoolTaps& taps, uint32_t channels, uint32_t* sums) {
  for (uint32_t c = 0; c < channels; ++c) {
    uint32_t sum = 0;
    for_each_tap(taps, taps.x + c, [&](Src<int16_t> at) {
      const int16_t element = *at;
      sum += static_cast<uint32_t>(int32_t{element});
    });
    sums[c] = sum;
  }
}

#endif

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
