// Compares the two channels of a word at once: SSUB16 says of each which is greater, SEL takes it.
// Eight channels stay in registers while the taps go by.
#include "portable_fallback/fast/int16_max_pool_dsp_kernel.h"

#include "portable_fallback/fast/dsp.h"

namespace arenite {
namespace {

constexpr uint32_t kLeast = 0x80008000;  // both numbers

// Makes each number of `most` the greater of both.
inline void take_greater(uint32_t& most, uint32_t other) {
#if defined(__ARM_FEATURE_DSP)
  uint32_t difference;
  asm("ssub16 %1, %0, %2\n\tsel %0, %0, %2" : "+r"(most), "=&r"(difference) : "r"(other));
#else
  const int32_t lower = dsp::lower(most), upper = dsp::upper(most);
  most = dsp::pair_of(lower > dsp::lower(other) ? lower : dsp::lower(other),
                      upper > dsp::upper(other) ? upper : dsp::upper(other));
#endif
}

inline uint32_t load_two(Src<int16_t> from) {
  uint32_t word;
  take<int16_t>(static_cast<int16_t*>(static_cast<void*>(&word)), from, 2);
  return word;
}

inline void store_two(Dst<int16_t> to, uint32_t word) {
  put<int16_t>(to, static_cast<const int16_t*>(static_cast<const void*>(&word)), 2);
}

// A function of its own: its loops take all registers.
__attribute__((noinline)) void max_of_eight(const Int16PoolTaps& taps, Src<int16_t> x,
                                            Dst<int16_t> y) {
  uint32_t a = kLeast, b = a, c = a, d = a;
  for_each_tap(
      taps, x, [&](Src<int16_t> at) __attribute__((always_inline)) {
        take_greater(a, load_two(at));
        take_greater(b, load_two(at + 2));
        take_greater(c, load_two(at + 4));
        take_greater(d, load_two(at + 6));
      });
  store_two(y, a);
  store_two(y + 2, b);
  store_two(y + 4, c);
  store_two(y + 6, d);
}

// Fewer channels.
__attribute__((noinline)) void max_of_rest(const Int16PoolTaps& taps, Src<int16_t> x,
                                           uint32_t channels, Dst<int16_t> y) {
  uint32_t words[kInt16PoolChannels / 2];
  const uint32_t whole = channels / 2;
  for (uint32_t i = 0; i < whole; ++i, x += 2) {
    uint32_t most = kLeast;
    for_each_tap(
        taps, x, [&](Src<int16_t> at) __attribute__((always_inline)) {
          take_greater(most, load_two(at));
        });
    words[i] = most;
  }
  uint32_t last = kLeast;
  if (channels % 2 != 0) {
    for_each_tap(
        taps, x, [&](Src<int16_t> at) __attribute__((always_inline)) {
          const int16_t tap = *at;
          take_greater(last, static_cast<uint32_t>(int32_t{tap}));
        });
  }
  for (uint32_t i = 0; i < whole; ++i, y += 2) store_two(y, words[i]);
  if (channels % 2 != 0) *y = static_cast<int16_t>(last);
}

inline void max_of_channels(const Int16PoolTaps& taps, Src<int16_t> x, uint32_t channels,
                            Dst<int16_t> y) {
  if (channels >= kInt16PoolChannels) {
    max_of_eight(taps, x, y);
  } else {
    max_of_rest(taps, x, channels, y);
  }
}

}  // namespace

void max_pool_int16_dsp(const Int16MaxPoolRun& run) {
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
