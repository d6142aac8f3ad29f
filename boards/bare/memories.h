// Names the board and its memories, as memory.ld lays them out and board.json tells the planner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace arenite::board {

struct Memory {
  std::string_view name;
  std::span<std::byte> bytes;
};

// The memory of two symbols of memory.ld. The address of a `_bytes` symbol is its value, a length.
inline Memory memory_of(std::string_view name, std::byte* base, const std::byte* bytes) {
  return {.name = name, .bytes = {base, reinterpret_cast<uintptr_t>(bytes)}};
}

// The board's name, as in board.json.
[[nodiscard]] std::string_view name();

inline constexpr size_t kArenaMemoriesMax = 8;

// The memories for arenas: their number, and each of them in the order of board.json, fastest
// first.
[[nodiscard]] size_t arena_memory_count();
[[nodiscard]] Memory arena_memory(size_t index);

// The memory in which the harness image keeps the programs that it receives.
[[nodiscard]] Memory program_store();

// Fills the unused stack with a pattern and returns the bytes in use now; stack_used_bytes() then
// tells how many have been in use since, from the top of the stack.
size_t stack_paint();
[[nodiscard]] size_t stack_used_bytes();

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0
