// Reads the core's counter of cycles, which QEMU's -icount makes one of instructions.
#include "boards/bare/clock.h"

namespace arenite::board {
namespace {

constexpr uint64_t kNanosecondsPerSecond = 1'000'000'000;
static_assert(kNanosecondsPerSecond % ARENITE_BOARD_CLOCK_HZ == 0, "a cycle is whole nanoseconds");

uint64_t cycles() {
#if __riscv_xlen == 64
  uint64_t cycles;
  asm volatile("csrr %0, mcycle" : "=r"(cycles));
  return cycles;
#else
  uint32_t high_before, low, high;
  do {
    asm volatile("csrr %0, mcycleh" : "=r"(high_before));
    asm volatile("csrr %0, mcycle" : "=r"(low));
    asm volatile("csrr %0, mcycleh" : "=r"(high));
  } while (high_before != high);
  return (uint64_t{high} << 32) | low;
#endif
}

// Written by clock_start() only.
uint64_t start;

}  // namespace

void clock_start() { start = cycles(); }

uint64_t clock_nanoseconds() {
  return (cycles() - start) * (kNanosecondsPerSecond / ARENITE_BOARD_CLOCK_HZ);
}

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
