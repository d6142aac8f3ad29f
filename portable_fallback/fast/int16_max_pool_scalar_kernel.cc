// Compares four channels while the taps go by, so that their greatest elements stay in registers.
#include "portable_fallback/fast/int16_max_pool_scalar_kernel.h"

namespace arenite {
namespace {

inline void take_greater(int32_t& most, int16_t tap) {
  if (tap > most) most = tap;
}

// A function of its own: its loops take all registers.
__attribute__((noinline)) void max_of_four(const Int16PoolTaps& taps, Src<int16_t> x, int16_t* to) {
  int32_t a = INT16_MIN, b = a, c = a, d = a;
  for_each_tap(
      taps, x, [&](Src<int16_t> at) __attribute__((always_inline)) {
        take_greater(a, at[0]);
        take_greater(b, at[1]);
        take_greater(c, at[2]);
        take_greater(d, at[3]);
      });
  to[0] = static_cast<int16_t>(a);
  to[1] = static_cast<int16_t>(b);
  to[2] = static_cast<int16_t>(c);
  to[3] = static_cast<int16_t>(d);
}

int16_t max_of_one(const Int16PoolTaps& taps, Src<int16_t> x) {
  int32_t most = INT16_MIN;
  for_each_tap(
      taps, x, [&](Src<int16_t> at) __attribute__((always_inline)) { take_greater(most, *at); });
  return static_cast<int16_t>(most);
}

// Up to kInt16PoolChannels.
void max_of_channels(const Int16PoolTaps& taps, Src<int16_t> x, uint32_t channels, Dst<int16_t> y) {
  const uint32_t count = channels < kInt16PoolChannels ? channels : kInt16PoolChannels;
  int16_t most[kInt16PoolChannels];
  uint32_t c = 0;
  for (; count - c >= 4; c += 4) max_of_four(taps, x + c, most + c);
  for (; c < count; ++c) most[c] = max_of_one(taps, x + c);
  for (c = 0; c < count; ++c) y[c] = most[c];
}

}  // namespace

void max_pool_int16_scalar(const Int16MaxPoolRun& run) {
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
