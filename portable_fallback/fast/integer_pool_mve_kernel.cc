// Adds eight channels, widened to 16 bits, to a vector of sums.
#include "portable_fallback/fast/integer_pool_mve_kernel.h"

#include "portable_fallback/fast/mve.h"

namespace arenite {
#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

void sum_taps_mve(const PoolTaps& taps, uint32_t channels, int32_t* sums) {
  const mve_pred16_t first = vctp16q(channels);
  const mve_pred16_t second = vctp16q(channels > 8 ? channels - 8 : 0);
  // Sums are 16 bits of either type.
  uint16x8_t low = vdupq_n_u16(0), high = vdupq_n_u16(0);
  const auto bytes = [](Src<std::byte> x) {
    return static_cast<const uint8_t*>(static_cast<const void*>(x));
  };
  if (taps.is_unsigned) {
    for_each_tap(taps, taps.x, [&](Src<std::byte> x) {
      low = vaddq_u16(low, vldrbq_z_u16(bytes(x), first));
      high = vaddq_u16(high, vldrbq_z_u16(bytes(x) + 8, second));
    });
  } else {
    for_each_tap(taps, taps.x, [&](Src<std::byte> x) {
      const auto* at = static_cast<const int8_t*>(static_cast<const void*>(x));
      low = vaddq_u16(low, vreinterpretq_u16_s16(vldrbq_z_s16(at, first)));
      high = vaddq_u16(high, vreinterpretq_u16_s16(vldrbq_z_s16(at + 8, second)));
    });
  }
  uint16_t all[kPoolChannels];
  vstrhq_u16(all, low);
  vstrhq_u16(all + 8, high);
  for (uint32_t c = 0; c < channels; ++c) {
    sums[c] = taps.is_unsigned ? int32_t{all[c]} : int32_t{static_cast<int16_t>(all[c])};
  }
}

#else

void sum_taps_mve(const PoolTaps& taps, uint32_t channels, int32_t* sums) {
  for (uint32_t c = 0; c < channels; ++c) sums[c] = 0;
  for_each_tap(taps, taps.x, [&](Src<std::byte> x) {
    for (uint32_t c = 0; c < channels; ++c) {
      const std::byte element = x[c];
      sums[c] += taps.is_unsigned ? int32_t{static_cast<uint8_t>(element)}
                                  : int32_t{static_cast<int8_t>(element)};
    }
  });
}

#endif

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
