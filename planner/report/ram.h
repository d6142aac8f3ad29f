// Counts what firmware takes of a board's RAM: arenas, instances, other variables and the stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "planner/board/board.h"
#include "planner/report/report.h"

namespace arenite::planner {

// The memory that a program takes beside its arenas.
struct OwnRam {
  uint64_t instance_bytes = 0;          // one instance for each method
  uint64_t bss_bytes = 0;               // else of the runtime
  uint64_t states_bytes = 0;            // of all methods: what is kept between runs
  std::optional<uint64_t> stack_bytes;  // a bound; nothing: not known
  bool stack_is_assumed = false;
};

// An instance of a board's part of the program holds this besides what all have: addresses of
// constants and arenas, and what follows from symbols, of the method that has most.
struct InstanceRoom {
  uint64_t addresses = 2;
  uint64_t frame_bytes = 0;
};
InstanceRoom instance_room(std::span<const std::byte> program, const std::string& board);

// The figures come from the table of the board's toolchain. If none knows the stack and the memory
// that holds it has an end, the stack is what tools/checks/device_report.sh lets any program take.
OwnRam own_ram(const Board& board, size_t methods, uint64_t states_bytes,
               std::span<const std::string> forms, const InstanceRoom& room = {});

// Lets the slowest of the board's memories that has room for so many bytes of states hold them, of
// the first `memory` memories. False, and nothing is changed, where none has.
bool hold_states(uint64_t bytes, size_t memory, Board& board);

// Keeps that much of the board's memories from arenas.
void keep_from_arenas(const OwnRam& own, Board& board);

// Whether the bytes kept from arenas, or those that arenas leave free, are enough.
bool is_kept_from_arenas(const OwnRam& own, const Board& board, const PlanReport& report);

// Adds a row for the board, whose methods' arenas `report` already has, and a shortage for each
// memory that is too small and has none yet.
void add_ram(const OwnRam& own, const Board& board, PlanReport& report);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
