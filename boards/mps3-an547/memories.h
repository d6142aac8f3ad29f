// Names the memories of the board, as memory.ld lays them out and board.json tells the planner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace arenite::board {

struct Memory {
  const char* name;
  std::span<std::byte> bytes;
};

inline constexpr size_t kArenaMemories = 4;

// Where arenas may lie, in the order of board.json: fastest first. `index` < kArenaMemories.
[[nodiscard]] Memory arena_memory(size_t index);

// Where the harness image keeps the programs it is given.
[[nodiscard]] Memory program_store();

// Fills the unused stack with a pattern; stack_used_bytes() then tells how deep it has been since,
// from the top of the stack.
void stack_paint();
[[nodiscard]] size_t stack_used_bytes();

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
