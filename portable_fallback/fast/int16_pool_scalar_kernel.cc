// Adds up eight channels while the taps go by, so that their sums stay in registers.
#include "portable_fallback/fast/int16_pool_scalar_kernel.h"

namespace arenite {
namespace {

inline uint32_t number(int16_t element) { return static_cast<uint32_t>(int32_t{element}); }

// Functions of their own: their loops take all registers.
__attribute__((noinline)) void sum_of_eight(const Int16PoolTaps& taps, Src<int16_t> x,
                                            uint32_t* sums) {
  uint32_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
  for_each_tap(
      taps, x, [&](Src<int16_t> at) __attribute__((always_inline)) {
        a += number(at[0]);
        b += number(at[1]);
        c += number(at[2]);
        d += number(at[3]);
        e += number(at[4]);
        f += number(at[5]);
        g += number(at[6]);
        h += number(at[7]);
      });
  const uint32_t all[] = {a, b, c, d, e, f, g, h};
  for (uint32_t i = 0; i < 8; ++i) sums[i] = all[i];
}

__attribute__((noinline)) void sum_of_two(const Int16PoolTaps& taps, Src<int16_t> x,
                                          uint32_t* sums) {
  uint32_t a = 0, b = 0;
  for_each_tap(
      taps, x, [&](Src<int16_t> at) __attribute__((always_inline)) {
        a += number(at[0]);
        b += number(at[1]);
      });
  sums[0] = a;
  sums[1] = b;
}

uint32_t sum_of_one(const Int16PoolTaps& taps, Src<int16_t> x) {
  uint32_t sum = 0;
  for_each_tap(
      taps, x, [&](Src<int16_t> at) __attribute__((always_inline)) { sum += number(*at); });
  return sum;
}

}  // namespace

void sum_taps_int16_scalar(const Int16PoolTaps& taps, uint32_t channels, uint32_t* sums) {
  uint32_t c = 0;
  for (; channels - c >= 8; c += 8) sum_of_eight(taps, taps.x + c, sums + c);
  for (; channels - c >= 2; c += 2) sum_of_two(taps, taps.x + c, sums + c);
  if (c != channels) sums[c] = sum_of_one(taps, taps.x + c);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
