// Adds up the taps of a channel before those of the next: its sum stays in a register.
#include "portable_fallback/fast/integer_pool_scalar_kernel.h"

namespace arenite {
namespace {

template <typename T>
int32_t sum_of_channel(const PoolTaps& taps, Src<std::byte> x) {
  const size_t step = taps.steps[2];
  int32_t sum = 0;
  for (uint32_t d = taps.counts[0]; d != 0; --d, x += taps.steps[0]) {
    Src<std::byte> line = x;
    for (uint32_t h = taps.counts[1]; h != 0; --h, line += taps.steps[1]) {
      Src<std::byte> at = line;
      const auto add = [&]() __attribute__((always_inline)) {
        sum += static_cast<T>(*at);
        at += step;
      };
      uint32_t w = taps.counts[2];
      for (; w >= 4; w -= 4) {
        add();
        add();
        add();
        add();
      }
      for (; w != 0; --w) add();
    }
  }
  return sum;
}

}  // namespace

void sum_taps_scalar(const PoolTaps& taps, uint32_t channels, int32_t* sums) {
  for (uint32_t c = 0; c < channels; ++c) {
    const Src<std::byte> x = taps.x + c;
    sums[c] = taps.is_unsigned ? sum_of_channel<uint8_t>(taps, x) : sum_of_channel<int8_t>(taps, x);
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
