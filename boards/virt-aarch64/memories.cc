// Turns the symbols of memory.ld into memories.
#include "boards/bare/memories.h"

// The address of a `_bytes` symbol is its value, a length.
extern "C" {
extern std::byte __ram_base[], __store_base[];
extern std::byte __ram_bytes[], __store_bytes[];
}

namespace arenite::board {

std::string_view name() { return "virt-aarch64"; }

size_t arena_memory_count() { return 1; }

Memory arena_memory(size_t) {
  return {"ram", {__ram_base, reinterpret_cast<uintptr_t>(__ram_bytes)}};
}

Memory program_store() {
  return {"store", {__store_base, reinterpret_cast<uintptr_t>(__store_bytes)}};
}

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
