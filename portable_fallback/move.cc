// Strided copies, row by row: memcpy where both sides are dense.
#include "portable_fallback/move.h"

#include <cstring>

#include "portable_fallback/split.h"

namespace arenite {
namespace {

template <typename T>
void move_row(void* to, const void* from, uint32_t count, ptrdiff_t to_step, ptrdiff_t from_step) {
  auto* y = static_cast<T*>(to);
  const auto* x = static_cast<const T*>(from);
  for (; count != 0; --count, y += to_step, x += from_step) *y = *x;
}

void move_items(void* argument, uint32_t first, uint32_t last) {
  const auto& move = *static_cast<const Move*>(argument);
  const auto bytes = static_cast<ptrdiff_t>(move.element_bytes);
  const ptrdiff_t to_step = move.loop.inner_stride(0);
  const ptrdiff_t from_step = move.loop.inner_stride(1);
  RowCursor row(move.loop, kRowPiece, first);
  for (uint32_t item = first; item < last; ++item, row.next()) {
    std::byte* to = move.to + row.offset(0) * bytes;
    const std::byte* from = move.from + row.offset(1) * bytes;
    const uint32_t count = row.count();
    if (to_step == 1 && from_step == 1) {
      std::memmove(to, from, size_t{count} * move.element_bytes);
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

void move_elements(const Platform& platform, Move& move) {
  move.loop.sort();
  move.loop.merge();
  split(platform, RowCursor::rows(move.loop, kRowPiece), move.loop.size(), move_items, &move);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
