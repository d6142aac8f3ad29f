// Reads the generic timer, whose frequency the board states.
#include "boards/bare/clock.h"

namespace arenite::board {
namespace {

constexpr uint64_t kNanosecondsPerSecond = 1'000'000'000;
static_assert(kNanosecondsPerSecond % ARENITE_BOARD_CLOCK_HZ == 0, "a tick is whole nanoseconds");

uint64_t ticks() {
  uint64_t ticks;
  asm volatile("isb\n mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
}

// Written by clock_start() only.
uint64_t start;

}  // namespace

void clock_start() { start = ticks(); }

uint64_t clock_nanoseconds() {
  return (ticks() - start) * (kNanosecondsPerSecond / ARENITE_BOARD_CLOCK_HZ);
}

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
