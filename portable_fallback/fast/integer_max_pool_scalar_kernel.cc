// Compares four channels while the taps go by, so that their greatest elements stay in registers.
#include "portable_fallback/fast/integer_max_pool_scalar_kernel.h"

#include <limits>

namespace arenite {
namespace {

template <typename T>
inline void take_greater(int32_t& most, std::byte tap) {
  const int32_t number = static_cast<T>(tap);
  if (number > most) most = number;
}

// A function of its own: its loops take all registers.
template <typename T>
__attribute__((noinline)) void max_of_four(const PoolTaps& taps, Src<std::byte> x, std::byte* to) {
  int32_t a = std::numeric_limits<T>::lowest(), b = a, c = a, d = a;
  for_each_tap(
      taps, x, [&](Src<std::byte> at) __attribute__((always_inline)) {
        take_greater<T>(a, at[0]);
        take_greater<T>(b, at[1]);
        take_greater<T>(c, at[2]);
        take_greater<T>(d, at[3]);
      });
  to[0] = static_cast<std::byte>(a);
  to[1] = static_cast<std::byte>(b);
  to[2] = static_cast<std::byte>(c);
  to[3] = static_cast<std::byte>(d);
}

template <typename T>
std::byte max_of_one(const PoolTaps& taps, Src<std::byte> x) {
  int32_t most = std::numeric_limits<T>::lowest();
  for_each_tap(
      taps,
      x, [&](Src<std::byte> at) __attribute__((always_inline)) { take_greater<T>(most, *at); });
  return static_cast<std::byte>(most);
}

// Up to sixteen channels.
template <typename T>
void max_of_channels(const PoolTaps& taps, Src<std::byte> x, uint32_t count, Dst<std::byte> y) {
  std::byte most[kPoolChannels];
  uint32_t c = 0;
  for (; count - c >= 4; c += 4) max_of_four<T>(taps, x + c, most + c);
  for (; c < count; ++c) most[c] = max_of_one<T>(taps, x + c);
  for (c = 0; c < count; ++c) y[c] = most[c];
}

template <typename T>
void max_of_outputs(const MaxPoolRun& run) {
  PoolTaps taps = run.taps;
  Dst<std::byte> y = run.y;
  for (uint32_t left = run.outputs; left != 0; --left) {
    for (uint32_t c = 0; c < run.channels; c += kPoolChannels) {
      const uint32_t rest = run.channels - c;
      max_of_channels<T>(taps, taps.x + c, rest < kPoolChannels ? rest : kPoolChannels, y + c);
    }
    taps.x += run.x_step;
    y += run.y_step;
  }
}

}  // namespace

void max_pool_scalar(const MaxPoolRun& run) {
  if (run.taps.is_unsigned) {
    max_of_outputs<uint8_t>(run);
  } else {
    max_of_outputs<int8_t>(run);
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
