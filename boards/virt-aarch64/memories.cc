// Turns the symbols of memory.ld into memories.
#include "boards/bare/memories.h"

extern "C" {
extern std::byte __ram_base[], __store_base[];
extern std::byte __ram_bytes[], __store_bytes[];
}

namespace arenite::board {

std::string_view name() { return "virt-aarch64"; }

size_t arena_memory_count() { return 1; }

Memory arena_memory(size_t) { return memory_of("ram", __ram_base, __ram_bytes); }

Memory program_store() { return memory_of("store", __store_base, __store_bytes); }

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
