// Compares the four channels of a word at once: SSUB8 or USUB8 says of each which is greater, SEL
// takes it. Sixteen channels stay in registers while the taps go by.
#include "portable_fallback/fast/integer_max_pool_dsp_kernel.h"

#include "portable_fallback/fast/dsp.h"

namespace arenite {
namespace {

// Every byte is the least number of the type.
template <bool kUnsigned>
constexpr uint32_t kLeast = kUnsigned ? 0 : 0x80808080;

// Makes each byte of `most` the greater of both.
template <bool kUnsigned>
inline void take_greater(uint32_t& most, uint32_t other) {
#if defined(__ARM_FEATURE_DSP)
  uint32_t difference;
  if constexpr (kUnsigned) {
    asm("usub8 %1, %0, %2\n\tsel %0, %0, %2" : "+r"(most), "=&r"(difference) : "r"(other));
  } else {
    asm("ssub8 %1, %0, %2\n\tsel %0, %0, %2" : "+r"(most), "=&r"(difference) : "r"(other));
  }
#else
  constexpr uint32_t kFlip = kUnsigned ? 0 : 0x80;  // puts numbers into the order of uint8
  uint32_t greater = 0;
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    const uint32_t a = (most >> shift & 0xff) ^ kFlip;
    const uint32_t b = (other >> shift & 0xff) ^ kFlip;
    greater |= ((a > b ? a : b) ^ kFlip) << shift;
  }
  most = greater;
#endif
}

inline uint32_t load_four(Src<std::byte> from) {
  uint32_t word;
  take<std::byte>(static_cast<std::byte*>(static_cast<void*>(&word)), from, 4);
  return word;
}

inline void store_four(Dst<std::byte> to, uint32_t word) {
  put<std::byte>(to, static_cast<const std::byte*>(static_cast<const void*>(&word)), 4);
}

// The channels of four words, or of two. A function of its own: its loops take all registers.
template <bool kUnsigned, bool kFour>
__attribute__((noinline)) void max_of_words(const PoolTaps& taps, Src<std::byte> x,
                                            Dst<std::byte> y) {
  uint32_t a = kLeast<kUnsigned>, b = a, c = a, d = a;
  for_each_tap(
      taps, x, [&](Src<std::byte> at) __attribute__((always_inline)) {
        take_greater<kUnsigned>(a, load_four(at));
        take_greater<kUnsigned>(b, load_four(at + 4));
        if constexpr (!kFour) return;
        take_greater<kUnsigned>(c, load_four(at + 8));
        take_greater<kUnsigned>(d, load_four(at + 12));
      });
  store_four(y, a);
  store_four(y + 4, b);
  if constexpr (!kFour) return;
  store_four(y + 8, c);
  store_four(y + 12, d);
}

// Fewer channels.
template <bool kUnsigned>
__attribute__((noinline)) void max_of_rest(const PoolTaps& taps, Src<std::byte> x,
                                           uint32_t channels, Dst<std::byte> y) {
  uint32_t words[kPoolChannels / 4];
  const uint32_t whole = channels / 4;
  const uint32_t few = channels % 4;
  for (uint32_t i = 0; i < whole; ++i, x += 4) {
    uint32_t most = kLeast<kUnsigned>;
    for_each_tap(
        taps, x, [&](Src<std::byte> at) __attribute__((always_inline)) {
          take_greater<kUnsigned>(most, load_four(at));
        });
    words[i] = most;
  }
  uint32_t last = kLeast<kUnsigned>;
  if (few != 0) {
    for_each_tap(
        taps, x, [&](Src<std::byte> at) __attribute__((always_inline)) {
          uint32_t word = static_cast<uint32_t>(at[0]);
          if (few > 1) word |= static_cast<uint32_t>(at[1]) << 8;
          if (few > 2) word |= static_cast<uint32_t>(at[2]) << 16;
          take_greater<kUnsigned>(last, word);
        });
  }
  for (uint32_t i = 0; i < whole; ++i, y += 4) store_four(y, words[i]);
  for (uint32_t i = 0; i < few; ++i) y[i] = static_cast<std::byte>(last >> 8 * i);
}

template <bool kUnsigned>
void max_of_outputs(const MaxPoolRun& run) {
  PoolTaps taps = run.taps;
  Dst<std::byte> to = run.y;
  for (uint32_t left = run.outputs; left != 0; --left) {
    Src<std::byte> x = taps.x;
    Dst<std::byte> y = to;
    uint32_t channels = run.channels;
    for (; channels >= kPoolChannels; channels -= kPoolChannels) {
      max_of_words<kUnsigned, true>(taps, x, y);
      x += kPoolChannels;
      y += kPoolChannels;
    }
    if (channels == 8) {
      max_of_words<kUnsigned, false>(taps, x, y);
    } else if (channels != 0) {
      max_of_rest<kUnsigned>(taps, x, channels, y);
    }
    taps.x += run.x_step;
    to += run.y_step;
  }
}

}  // namespace

void max_pool_dsp(const MaxPoolRun& run) {
  if (run.taps.is_unsigned) {
    max_of_outputs<true>(run);
  } else {
    max_of_outputs<false>(run);
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
