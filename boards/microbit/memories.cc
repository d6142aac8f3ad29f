// Turns the symbols of memory.ld into memories.
#include "boards/bare/memories.h"

namespace arenite::board {

std::string_view name() { return "microbit"; }

// Its images hold their programs and arenas, which nobody has to find.
size_t arena_memory_count() { return 0; }

Memory arena_memory(size_t) { return {}; }

Memory program_store() { return {}; }

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
