// Turns the symbols of memory.ld into memories.
#include "boards/bare/memories.h"

extern "C" {
extern std::byte __ssram_base[], __psram_base[], __store_base[];
extern std::byte __ssram_bytes[], __psram_bytes[], __store_bytes[];
}

namespace arenite::board {

std::string_view name() { return "mps2-an505"; }

size_t arena_memory_count() { return 2; }

Memory arena_memory(size_t index) {
  return index == 0 ? memory_of("ssram", __ssram_base, __ssram_bytes)
                    : memory_of("psram", __psram_base, __psram_bytes);
}

Memory program_store() { return memory_of("store", __store_base, __store_bytes); }

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
