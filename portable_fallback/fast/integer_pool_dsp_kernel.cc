// Adds the even and the odd bytes of a word of four channels to two pairs of sums.
#include "portable_fallback/fast/integer_pool_dsp_kernel.h"

#include "portable_fallback/fast/dsp.h"
#include "portable_fallback/fast/for_size.h"

namespace arenite {
namespace {

// Up to four neighboring bytes as a word.
[[gnu::cold, gnu::noinline]] uint32_t load_some(Src<std::byte> from, uint32_t count) {
  uint32_t word = 0;
  for (uint32_t i = 0; i < count; ++i) word |= static_cast<uint32_t>(from[i]) << 8 * i;
  return word;
}
inline uint32_t load_channels(Src<std::byte> from, uint32_t count) {
  if (count != 4) [[unlikely]]
    return load_some(from, count);
  uint32_t word;
  take<std::byte>(static_cast<std::byte*>(static_cast<void*>(&word)), from, 4);
  return word;
}

// Bytes of uint8 become int8 by their highest bits.
inline void sum_words(const PoolTaps& taps, Src<std::byte> x, uint32_t count, uint32_t flip,
                      int32_t* sums) {
  uint32_t even = 0, odd = 0;
  for (uint32_t d = taps.counts[0]; d != 0; --d, x += taps.steps[0]) {
    Src<std::byte> line = x;
    for (uint32_t h = taps.counts[1]; h != 0; --h, line += taps.steps[1]) {
      Src<std::byte> at = line;
      for (uint32_t w = taps.counts[2]; w != 0; --w, at += taps.steps[2]) {
        const uint32_t word = load_channels(at, count) ^ flip;
        even = dsp::add_even_bytes(even, word);
        odd = dsp::add_odd_bytes(odd, word);
      }
    }
  }
  const int32_t all[4] = {dsp::lower(even), dsp::lower(odd), dsp::upper(even), dsp::upper(odd)};
  for (uint32_t i = 0; i < count; ++i) sums[i] = all[i];
}

}  // namespace

void sum_taps_dsp(const PoolTaps& taps, uint32_t channels, int32_t* sums) {
  const uint32_t flip = taps.is_unsigned ? 0x80808080 : 0;
  for (uint32_t c = 0; c < channels; c += 4) {
    const uint32_t count = channels - c < 4 ? channels - c : 4;
    sum_words(taps, taps.x + c, count, flip, sums + c);
  }
  if (!taps.is_unsigned) return;
  const uint32_t count = taps.counts[0] * taps.counts[1] * taps.counts[2];
  for (uint32_t c = 0; c < channels; ++c) sums[c] += static_cast<int32_t>(128 * count);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
