// Turns the symbols of memory.ld into memories, and measures the stack.
#include "boards/mps3-an547/memories.h"

// The address of a `_bytes` symbol is its value, a length.
extern "C" {
extern std::byte __dtcm_base[], __sram_base[], __sram2_base[], __ddr_base[], __store_base[];
extern std::byte __dtcm_bytes[], __sram_bytes[], __sram2_bytes[], __ddr_bytes[], __store_bytes[];
extern uint32_t __stack_limit[], __stack_top[];
}

namespace arenite::board {
namespace {

constexpr uint32_t kPaint = 0xA5C3A5C3;

Memory memory(const char* name, std::byte* base, const std::byte* bytes) {
  return {.name = name, .bytes = {base, reinterpret_cast<uintptr_t>(bytes)}};
}

}  // namespace

Memory arena_memory(size_t index) {
  switch (index) {
    case 0:
      return memory("dtcm", __dtcm_base, __dtcm_bytes);
    case 1:
      return memory("sram", __sram_base, __sram_bytes);
    case 2:
      return memory("sram2", __sram2_base, __sram2_bytes);
    default:
      return memory("ddr", __ddr_base, __ddr_bytes);
  }
}

Memory program_store() { return memory("store", __store_base, __store_bytes); }

void stack_paint() {
  const uint32_t* in_use;
  asm volatile("mov %0, sp" : "=r"(in_use));
  for (volatile uint32_t* word = __stack_limit; word < in_use; ++word) *word = kPaint;
}

size_t stack_used_bytes() {
  const volatile uint32_t* word = __stack_limit;
  while (word < __stack_top && *word == kPaint) ++word;
  return static_cast<size_t>(__stack_top - word) * sizeof *word;
}

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
