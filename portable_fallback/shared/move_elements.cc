// Strided copies, row by row: of words where both sides are dense and short, memmove where they are
// long, and runs of one element.
#include "portable_fallback/shared/move_elements.h"

#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

template <typename T>
void move_row_of(const MoveRow& row) {
  Dst<T> y = as<T>(row.to);
  Src<T> x = as<T>(row.from);
  for (uint32_t left = row.count; left != 0; --left, y += row.to_step, x += row.from_step) *y = *x;
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

// The first and the last Word of a row, which cover it and are read before either is written.
template <typename Word>
void move_ends(Dst<std::byte> to, Src<std::byte> from, size_t bytes) {
  const auto last = static_cast<ptrdiff_t>(bytes - sizeof(Word));
  std::byte ends[2][sizeof(Word)];
  take(ends[0], from, sizeof(Word));
  take(ends[1], from + last, sizeof(Word));
  put<std::byte>(to, ends[0], sizeof(Word));
  put<std::byte>(to + last, ends[1], sizeof(Word));
}

void move_dense(Dst<std::byte> to, Src<std::byte> from, size_t bytes) {
  if (bytes > 2 * sizeof(uint64_t)) return move_bytes(to, from, bytes);
  if (bytes >= sizeof(uint64_t)) return move_ends<uint64_t>(to, from, bytes);
  if (bytes >= sizeof(uint32_t)) return move_ends<uint32_t>(to, from, bytes);
  if (bytes >= sizeof(uint16_t)) return move_ends<uint16_t>(to, from, bytes);
  move_ends<uint8_t>(to, from, bytes);
}

struct Rows {
  Dst<std::byte> to;
  Src<std::byte> from;
  ptrdiff_t to_next, from_next;  // bytes between rows
  ptrdiff_t to_step, from_step;  // elements
  uint32_t rows, count;          // `count` elements each
};

// Calls row(to, from) at each row.
template <typename F>
void for_each_row(Rows rows, F row) {
  for (; rows.rows != 0; --rows.rows, rows.to += rows.to_next, rows.from += rows.from_next) {
    row(rows.to, rows.from);
  }
}

template <typename T>
void move_apart(const Rows& rows) {
  for_each_row(rows, [&](Dst<std::byte> to, Src<std::byte> from) {
    move_row_of<T>({to, from, rows.to_step, rows.from_step, rows.count});
  });
}

void move_rows(const Rows& rows, uint32_t element_bytes) {
  const size_t bytes = size_t{rows.count} * element_bytes;
  if (rows.to_step == 1 && rows.from_step == 1) {
    return for_each_row(
        rows, [&](Dst<std::byte> to, Src<std::byte> from) { move_dense(to, from, bytes); });
  }
  if (rows.to_step == 1 && rows.from_step == 0) {
    return for_each_row(rows, [&](Dst<std::byte> to, Src<std::byte> from) {
      fill_row(to, from, bytes, element_bytes);
    });
  }
  switch (element_bytes) {
    case 1:
      return move_apart<uint8_t>(rows);
    case 2:
      return move_apart<uint16_t>(rows);
    case 4:
      return move_apart<uint32_t>(rows);
    default:
      return move_apart<uint64_t>(rows);
  }
}

// An item is a row; those along the dim around it need no cursor of their own.
void move_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& move = *static_cast<const Move*>(argument);
  const NestedLoop& loop = move.loop;
  const auto bytes = static_cast<ptrdiff_t>(move.element_bytes);
  const bool one_by_one = move.row == 0;
  const uint32_t along = one_by_one ? 1 : loop.inner_dim();
  const ptrdiff_t to_next = loop.inner_stride(0) * bytes;
  const ptrdiff_t from_next = loop.inner_stride(1) * bytes;
  auto skipped = static_cast<ptrdiff_t>(first % along);
  RowCursor at(loop, one_by_one ? kRowPiece : along, first / along);
  for (uint32_t item = first; item < last; at.next()) {
    Rows rows = {move.to + at.offset(0) * bytes,
                 move.from + at.offset(1) * bytes,
                 to_next,
                 from_next,
                 loop.inner_stride(0),
                 loop.inner_stride(1),
                 1,
                 at.count()};
    if (!one_by_one) {
      rows.to += skipped * to_next;
      rows.from += skipped * from_next;
      rows.to_step = move.to_step;
      rows.from_step = move.from_step;
      rows.rows = along - static_cast<uint32_t>(skipped);
      if (rows.rows > last - item) rows.rows = last - item;
      rows.count = move.row;
      skipped = 0;
    }
    item += rows.rows;
    move_rows(rows, move.element_bytes);
  }
}

}  // namespace

void move_row(const MoveRow& row, uint32_t element_bytes) {
  switch (element_bytes) {
    case 1:
      return move_row_of<uint8_t>(row);
    case 2:
      return move_row_of<uint16_t>(row);
    case 4:
      return move_row_of<uint32_t>(row);
    default:
      return move_row_of<uint64_t>(row);
  }
}

void walk_move(DistanceWalk& walk, NestedLoop& loop, uint32_t element_bytes, const MoveStart& at) {
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

void simplify_move(Move& move) {
  NestedLoop& loop = move.loop;
  loop.sort();
  loop.merge();
  loop.lengthen_rows();
  if (loop.rank > 1 && loop.inner_dim() <= kRowPiece) {
    move.row = loop.inner_dim();
    move.to_step = loop.inner_stride(0);
    move.from_step = loop.inner_stride(1);
    --loop.rank;
  }
}

void run_simplified(const Platform& platform, Move& move) {
  const uint32_t outside = move.loop.size();
  const bool one_by_one = move.row == 0;
  const uint32_t items = one_by_one ? RowCursor::rows(move.loop, kRowPiece) : outside;
  split(platform, items, one_by_one ? outside : outside * move.row, move_items, &move);
}

void move_elements(const Platform& platform, Move& move) {
  simplify_move(move);
  run_simplified(platform, move);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
