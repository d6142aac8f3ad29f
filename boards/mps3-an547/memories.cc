// Turns the symbols of memory.ld into memories.
#include "boards/bare/memories.h"

extern "C" {
extern std::byte __dtcm_base[], __sram_base[], __sram2_base[], __ddr_base[], __store_base[];
extern std::byte __dtcm_bytes[], __sram_bytes[], __sram2_bytes[], __ddr_bytes[], __store_bytes[];
}

namespace arenite::board {

std::string_view name() { return "mps3-an547"; }

size_t arena_memory_count() { return 4; }

Memory arena_memory(size_t index) {
  switch (index) {
    case 0:
      return memory_of("dtcm", __dtcm_base, __dtcm_bytes);
    case 1:
      return memory_of("sram", __sram_base, __sram_bytes);
    case 2:
      return memory_of("sram2", __sram2_base, __sram2_bytes);
    default:
      return memory_of("ddr", __ddr_base, __ddr_bytes);
  }
}

Memory program_store() { return memory_of("store", __store_base, __store_bytes); }

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
