// Adds the even and the odd bytes of a word of four channels to two pairs of sums.
#include "portable_fallback/fast/integer_pool_dsp_kernel.h"

#include "portable_fallback/fast/dsp.h"
#include "portable_fallback/fast/for_size.h"

namespace arenite {
namespace {

// The sums of four neighboring channels. Bytes of uint8 become int8 by their highest bits.
[[gnu::noinline]] void sum_word(const PoolTaps& taps, Src<std::byte> x, uint32_t flip,
                                int32_t* sums) {
  uint32_t even = 0, odd = 0;
  const size_t step = taps.steps[2];
  for (uint32_t d = taps.counts[0]; d != 0; --d, x += taps.steps[0]) {
    Src<std::byte> line = x;
    for (uint32_t h = taps.counts[1]; h != 0; --h, line += taps.steps[1]) {
      Src<std::byte> at = line;
      for (uint32_t w = taps.counts[2]; w != 0; --w, at += step) {
        uint32_t word;
        take<std::byte>(static_cast<std::byte*>(static_cast<void*>(&word)), at, 4);
        word ^= flip;
        even = dsp::add_even_bytes(even, word);
        odd = dsp::add_odd_bytes(odd, word);
      }
    }
  }
  sums[0] = dsp::lower(even);
  sums[1] = dsp::lower(odd);
  sums[2] = dsp::upper(even);
  sums[3] = dsp::upper(odd);
}

// The sum of one channel.
[[gnu::cold, gnu::noinline]] int32_t sum_of_channel(const PoolTaps& taps, Src<std::byte> x,
                                                    uint32_t flip) {
  int32_t sum = 0;
  for (uint32_t d = taps.counts[0]; d != 0; --d, x += taps.steps[0]) {
    Src<std::byte> line = x;
    for (uint32_t h = taps.counts[1]; h != 0; --h, line += taps.steps[1]) {
      Src<std::byte> at = line;
      for (uint32_t w = taps.counts[2]; w != 0; --w, at += taps.steps[2]) {
        sum += static_cast<int8_t>(static_cast<uint32_t>(*at) ^ flip);
      }
    }
  }
  return sum;
}

}  // namespace

void sum_taps_dsp(const PoolTaps& taps, uint32_t channels, int32_t* sums) {
  const uint32_t flip = taps.is_unsigned ? 0x80808080 : 0;
  for (uint32_t c = 0; c < channels; c += 4) {
    if (channels - c >= 4) {
      sum_word(taps, taps.x + c, flip, sums + c);
    } else {
      for (; c < channels; ++c) sums[c] = sum_of_channel(taps, taps.x + c, flip);
    }
  }
  if (!taps.is_unsigned) return;
  const uint32_t count = taps.counts[0] * taps.counts[1] * taps.counts[2];
  for (uint32_t c = 0; c < channels; ++c) sums[c] += static_cast<int32_t>(128 * count);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
