// Measures the stack by painting it.
#include <cstdint>

#include "boards/bare/memories.h"

extern "C" {
extern uint32_t __stack_limit[], __stack_top[];  // memory.ld
}

namespace arenite::board {
namespace {

constexpr uint32_t kPaint = 0xA5C3A5C3;

// Inlined: a call of its own would take stack.
[[gnu::always_inline]] inline const uint32_t* stack_pointer() {
  const uint32_t* in_use;
#ifdef __riscv
  asm volatile("mv %0, sp" : "=r"(in_use));
#else
  asm volatile("mov %0, sp" : "=r"(in_use));
#endif
  return in_use;
}

}  // namespace

size_t stack_paint() {
  const uint32_t* in_use = stack_pointer();
  for (volatile uint32_t* word = __stack_limit; word < in_use; ++word) *word = kPaint;
  return static_cast<size_t>(__stack_top - in_use) * sizeof *in_use;
}

size_t stack_used_bytes() {
  const volatile uint32_t* word = __stack_limit;
  while (word < __stack_top && *word == kPaint) ++word;
  return static_cast<size_t>(__stack_top - word) * sizeof *word;
}

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
