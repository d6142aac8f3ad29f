// Moving elements of any type from one strided place to another.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"
#include "core/platform.h"
#include "portable_fallback/shared/loop.h"

namespace arenite {

// Elements of 1, 2, 4 or 8 bytes: to[operand 0 of the loop] = from[operand 1].
struct Move {
  Dst<std::byte> to;
  Src<std::byte> from;
  uint32_t element_bytes;
  NestedLoop loop;
  // Where rows are short, these describe the innermost dim, which the loop then lacks; else `row`
  // is 0.
  uint32_t row = 0;
  ptrdiff_t to_step = 0, from_step = 0;  // elements
};

class DistanceWalk;

// A move's first bytes, from the starts of output 0 and of the input.
struct MoveStart {
  int64_t y, x;
};

// Follows what move_elements does with the loop, which it sorts and merges.
void walk_move(DistanceWalk& walk, NestedLoop& loop, uint32_t element_bytes, const MoveStart& at);

// A row of a move: `count` elements, so many elements apart.
struct MoveRow {
  Dst<std::byte> to;
  Src<std::byte> from;
  ptrdiff_t to_step, from_step;
  uint32_t count;
};
void move_row(const MoveRow& row, uint32_t element_bytes);

// Sorts and merges the loop, which must have at least one iteration.
void simplify_move(Move& move);
// Moves everything of a simplified move: as often as wanted, from and to other places.
void run_simplified(const Platform& platform, Move& move);
// Both.
void move_elements(const Platform& platform, Move& move);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
