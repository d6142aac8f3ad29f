// Extends the CPU's 24-bit SysTick timer to 64 bits by counting its wraps in an interrupt.
#include "boards/bare/clock.h"

#include <numeric>

namespace {

struct SysTick {
  volatile uint32_t control;
  volatile uint32_t reload;
  volatile uint32_t current;
};

constexpr uint32_t kOnWithInterruptFromCpuClock = 7;
constexpr uint32_t kTicksPerWrap = 1u << 24;

// Nanoseconds a tick as a fraction in lowest terms: multiplied first, it lasts for years.
constexpr uint64_t kNanosecondsPerSecond = 1'000'000'000;
constexpr uint64_t kDivisor = std::gcd(kNanosecondsPerSecond, uint64_t{ARENITE_BOARD_CLOCK_HZ});
constexpr uint64_t kNanoseconds = kNanosecondsPerSecond / kDivisor;
constexpr uint64_t kTicks = ARENITE_BOARD_CLOCK_HZ / kDivisor;

SysTick& systick() { return *reinterpret_cast<SysTick*>(uintptr_t{0xE000E010}); }

// Written by the interrupt only.
volatile uint32_t wraps;

}  // namespace

extern "C" void clock_tick_wrapped();
extern "C" void clock_tick_wrapped() { wraps = wraps + 1; }

namespace arenite::board {

void clock_start() {
  systick().control = 0;
  wraps = 0;
  systick().reload = kTicksPerWrap - 1;
  systick().current = 0;  // any write clears it; the timer reloads at its next tick
  systick().control = kOnWithInterruptFromCpuClock;
  // Until that reload the timer reads 0, which would look like a full wrap.
  while (systick().current == 0) {
  }
}

uint64_t clock_nanoseconds() {
  uint32_t wraps_before, ticks_left;
  do {
    wraps_before = wraps;
    ticks_left = systick().current;
  } while (wraps_before != wraps);
  const uint64_t ticks = uint64_t{wraps_before} * kTicksPerWrap + (kTicksPerWrap - 1 - ticks_left);
  return ticks * kNanoseconds / kTicks;
}

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
