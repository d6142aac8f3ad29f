// Compares sixteen channels at once; the last vector takes as many as are left.
#include "portable_fallback/fast/integer_max_pool_mve_kernel.h"

#include "portable_fallback/fast/mve.h"

namespace arenite {
namespace {

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

template <typename T>
inline const T* elements(Src<std::byte> x) {
  return static_cast<const T*>(static_cast<const void*>(x));
}

void max_of_sixteen(const PoolTaps& taps, Src<std::byte> x, uint32_t channels, Dst<std::byte> y) {
  const mve_pred16_t left = vctp8q(channels);
  uint8x16_t most = vdupq_n_u8(taps.is_unsigned ? 0 : 0x80);
  if (taps.is_unsigned) {
    for_each_tap(taps, x, [&](Src<std::byte> at) {
      most = vmaxq_u8(most, vldrbq_z_u8(elements<uint8_t>(at), left));
    });
  } else {
    for_each_tap(taps, x, [&](Src<std::byte> at) {
      const int8x16_t tap = vldrbq_z_s8(elements<int8_t>(at), left);
      most = vreinterpretq_u8_s8(vmaxq_s8(vreinterpretq_s8_u8(most), tap));
    });
  }
  vstrbq_p_u8(static_cast<uint8_t*>(static_cast<void*>(y)), most, left);
}

#else

void max_of_sixteen(const PoolTaps& taps, Src<std::byte> x, uint32_t channels, Dst<std::byte> y) {
  const uint32_t count = channels < kPoolChannels ? channels : kPoolChannels;
  const uint32_t flip = taps.is_unsigned ? 0 : 0x80;  // puts numbers into the order of uint8
  uint32_t most[kPoolChannels] = {};
  for_each_tap(taps, x, [&](Src<std::byte> at) {
    for (uint32_t c = 0; c < count; ++c) {
      const uint32_t tap = static_cast<uint32_t>(at[c]) ^ flip;
      most[c] = tap > most[c] ? tap : most[c];
    }
  });
  for (uint32_t c = 0; c < count; ++c) y[c] = static_cast<std::byte>(most[c] ^ flip);
}

#endif

}  // namespace

void max_pool_mve(const MaxPoolRun& run) {
  PoolTaps taps = run.taps;
  Dst<std::byte> y = run.y;
  for (uint32_t left = run.outputs; left != 0; --left) {
    for (uint32_t c = 0; c < run.channels; c += kPoolChannels) {
      max_of_sixteen(taps, taps.x + c, run.channels - c, y + c);
    }
    taps.x += run.x_step;
    y += run.y_step;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
