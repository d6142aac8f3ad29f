// Strided copies, row by row: memcpy where both sides are dense, and runs of one element.
#include "portable_fallback/shared/move_elements.h"

#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

template <typename T>
void move_row(Dst<std::byte> to, Src<std::byte> from, uint32_t count, ptrdiff_t to_step,
              ptrdiff_t from_step) {
  Dst<T> y = as<T>(to);
  Src<T> x = as<T>(from);
  for (; count != 0; --count, y += to_step, x += from_step) *y = *x;
}

// The element at `from` in `bytes` bytes, as many times as it goes into them: 16 bytes at a time.
void fill_row(Dst<std::byte> to, Src<std::byte> from, size_t bytes, uint32_t element_bytes) {
  std::byte pattern[16];
  take(pattern, from, element_bytes);
  for (uint32_t i = element_bytes; i < sizeof pattern; ++i) pattern[i] = pattern[i - element_bytes];
  for (; bytes >= sizeof pattern; bytes -= sizeof pattern, to += sizeof pattern) {
    put<std::byte>(to, pattern, sizeof pattern);
  }
  if (bytes != 0) put<std::byte>(to, pattern, bytes);
}

void move_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& move = *static_cast<const Move*>(argument);
  const auto bytes = static_cast<ptrdiff_t>(move.element_bytes);
  const ptrdiff_t to_step = move.loop.inner_stride(0);
  const ptrdiff_t from_step = move.loop.inner_stride(1);
  RowCursor row(move.loop, kRowPiece, first);
  for (uint32_t item = first; item < last; ++item, row.next()) {
    Dst<std::byte> to = move.to + row.offset(0) * bytes;
    Src<std::byte> from = move.from + row.offset(1) * bytes;
    const uint32_t count = row.count();
    if (to_step == 1 && from_step == 1) {
      move_bytes(to, from, size_t{count} * move.element_bytes);
      continue;
    }
    if (to_step == 1 && from_step == 0) {
      fill_row(to, from, size_t{count} * move.element_bytes, move.element_bytes);
      continue;
    }
    switch (move.element_bytes) {
      case 1:
        move_row<uint8_t>(to, from, count, to_step, from_step);
        break;
      case 2:
        move_row<uint16_t>(to, from, count, to_step, from_step);
        break;
      case 4:
        move_row<uint32_t>(to, from, count, to_step, from_step);
        break;
      default:
        move_row<uint64_t>(to, from, count, to_step, from_step);
        break;
    }
  }
}

}  // namespace

void walk_move(DistanceWalk& walk, NestedLoop loop, uint32_t element_bytes, const MoveStart& at) {
  loop.sort();
  loop.merge();
  loop.lengthen_rows();
  // A dense row moves as a whole, as if all of it were read before any of it is written, and so
  // does one of the same element.
  const ptrdiff_t from_step = loop.inner_stride(1);
  const bool dense = loop.inner_stride(0) == 1 && (from_step == 0 || from_step == 1);
  walk_loop(walk, loop, 1,
            {.y = at.y, .x = at.x, .y_bytes = element_bytes, .x_bytes = element_bytes},
            dense ? kRowPiece : 1);
}

void move_elements(const Platform& platform, Move& move) {
  move.loop.sort();
  move.loop.merge();
  move.loop.lengthen_rows();
  split(platform, RowCursor::rows(move.loop, kRowPiece), move.loop.size(), move_items, &move);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
