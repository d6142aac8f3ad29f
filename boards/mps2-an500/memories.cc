// Turns the symbols of memory.ld into memories.
#include "boards/bare/memories.h"

// The address of a `_bytes` symbol is its value, a length.
extern "C" {
extern std::byte __ssram_base[], __psram_base[], __store_base[];
extern std::byte __ssram_bytes[], __psram_bytes[], __store_bytes[];
}

namespace arenite::board {
namespace {

Memory memory(std::string_view name, std::byte* base, const std::byte* bytes) {
  return {.name = name, .bytes = {base, reinterpret_cast<uintptr_t>(bytes)}};
}

}  // namespace

std::string_view name() { return "mps2-an500"; }

size_t arena_memory_count() { return 2; }

Memory arena_memory(size_t index) {
  return index == 0 ? memory("ssram", __ssram_base, __ssram_bytes)
                    : memory("psram", __psram_base, __psram_bytes);
}

Memory program_store() { return memory("store", __store_base, __store_bytes); }

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
