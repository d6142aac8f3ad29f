// Turns the symbols of memory.ld into memories.
#include "boards/bare/memories.h"

// The address of a `_bytes` symbol is its value, a length.
extern "C" {
extern std::byte __dtcm_base[], __sram_base[], __sram2_base[], __ddr_base[], __store_base[];
extern std::byte __dtcm_bytes[], __sram_bytes[], __sram2_bytes[], __ddr_bytes[], __store_bytes[];
}

namespace arenite::board {
namespace {

Memory memory(std::string_view name, std::byte* base, const std::byte* bytes) {
  return {.name = name, .bytes = {base, reinterpret_cast<uintptr_t>(bytes)}};
}

}  // namespace

std::string_view name() { return "mps3-an547"; }

size_t arena_memory_count() { return 4; }

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

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
