// Compares eight channels at once; the last vector takes as many as are left.
#include "portable_fallback/fast/int16_max_pool_mve_kernel.h"

#include "portable_fallback/fast/mve.h"

namespace arenite {
namespace {

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

void max_of_channels(const Int16PoolTaps& taps, Src<int16_t> x, uint32_t channels, Dst<int16_t> y) {
  const mve_pred16_t left = vctp16q(channels);
  int16x8_t most = vdupq_n_s16(INT16_MIN);
  for_each_tap(taps, x, [&](Src<int16_t> at) { most = vmaxq_s16(most, vldrhq_z_s16(at, left)); });
  vstrhq_p_s16(y, most, left);
}

#else

void max_of_channels(const Int16PoolTaps& taps, Src<int16_t> x, uint32_t channels, Dst<int16_t> y) {
  const uint32_t count = channels < kInt16PoolChannels ? channels : kInt16PoolChannels;
  int16_t most[kInt16PoolChannels];
  for (int16_t& each : most) each = INT16_MIN;
  for_each_tap(taps, x, [&](Src<int16_t> at) {
    for (uint32_t c = 0; c < count; ++c) {
      const int16_t tap = at[c];
      if (tap > most[c]) most[c] = tap;
    }
  });
  for (uint32_t c = 0; c < count; ++c) y[c] = most[c];
}

#endif

}  // namespace

void max_pool_int16_mve(const Int16MaxPoolRun& run) {
  Int16PoolTaps taps = run.taps;
  Dst<int16_t> y = run.y;
  for (uint32_t left = run.outputs; left != 0; --left) {
    for (uint32_t c = 0; c < run.channels; c += kInt16PoolChannels) {
      max_of_channels(taps, taps.x + c, run.channels - c, y + c);
    }
    taps.x += run.x_step;
    y += run.y_step;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
