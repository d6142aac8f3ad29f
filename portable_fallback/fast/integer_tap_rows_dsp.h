// Multiplies runs of pairs of 16-bit numbers, which places read, by two columns of weights of 8
// bits.
#pragma once

#include "portable_fallback/fast/integer_taps.h"
#include "portable_fallback/fast/integer_tile_dsp.h"

namespace arenite {
namespace {

// Copies what one place reads of a group to every `step`th word from `to` on, run by run. T is as
// wide as x's elements; what lies beside x is filled with `outside`.
template <typename T, typename Lane, typename Number>
[[gnu::always_inline]] inline void copy_tap_runs(const IntegerTaps& p, uint32_t group,
                                                 uint32_t place, Number outside, uint32_t* to,
                                                 size_t step, Lane& lane) {
  const size_t run_words = step * ((p.runs.length + 1) / 2);
  const size_t x_c = p.x_c;
  const uint32_t channels = p.channels;
  uint32_t left = p.runs.length;
  const auto begin_tap = [&]() __attribute__((always_inline)) {
    if (left == 0) {
      lane.end();
      to += run_words;
      lane.begin(to);
      left = p.runs.length;
    }
    left -= channels;
  };
  for_taps<T>(
      p, group, place,
      [&](Src<T> x) __attribute__((always_inline)) {
        begin_tap();
        lane.copy(x, x_c, channels);
      },
      [&]() __attribute__((always_inline)) {
        begin_tap();
        lane.fill(outside, channels);
      });
  lane.end();
}

// The columns of a group that one pair of the blocks of weights has: `count` of them from `column`
// on, which is the pair's second one where `first` is 1.
struct ColumnPair {
  uint32_t column, first, count;
  const std::byte* w;  // the pair's
};

// Calls visit(pair, y) for each pair of a group; y is the place's result of the pair's `column`.
template <typename Y, typename Visit>
[[gnu::always_inline]] inline void for_column_pairs(const IntegerTaps& p, uint32_t group, Dst<Y> y,
                                                    const Visit& visit) {
  const size_t y_c = p.y_c;
  uint32_t column = group * p.columns;
  const uint32_t end = column + p.columns;
  y += column * y_c;
  while (column < end) {
    const uint32_t first = column % 2;
    const uint32_t count = first == 0 && column + 1 < end ? 2 : 1;
    visit({column, first, count, p.w + size_t{column - first} * p.depth}, y);
    column += count;
    y += count * y_c;
  }
}

// Runs of a line of taps, whose rows follow each other; `words` pairs of numbers each, at least
// one.
struct TapLine {
  const std::byte* w;
  const uint32_t* x;
  uint32_t runs;
  size_t w_step;  // bytes from run to run
  uint32_t words;
};

// Adds the products of such runs to the sums.
inline void add_runs(TapLine line, Tile& tile) {
#if defined(__ARM_ARCH_7EM__) && defined(__OPTIMIZE__)
  // Eight words are a round, and the first begins at one of them: so many bytes of instructions are
  // left out.
  uint32_t left_out = (0 - line.words) % 8 * (13 * 4);
  const size_t run_bytes = size_t{16} * line.words;
  const std::byte* end =
      static_cast<const std::byte*>(static_cast<const void*>(line.x)) + run_bytes;
  size_t gap = line.w_step - size_t{4} * line.words;
  size_t to_end = run_bytes;
  Tile* to = &tile;
  asm volatile(ARENITE_LOAD_TILE
               "1:\n\t"
               "ldr r10, %[left_out]\n\t"
               "add pc, r10\n\t"
               "nop\n\t"  // pc reads as four bytes on
               "2:\n\t"   //
               ARENITE_ADD_WORD ARENITE_ADD_WORD ARENITE_ADD_WORD ARENITE_ADD_WORD ARENITE_ADD_WORD
                   ARENITE_ADD_WORD ARENITE_ADD_WORD ARENITE_ADD_WORD
               "ldr r10, %[end]\n\t"
               "cmp r9, r10\n\t"
               "bne.w 2b\n\t"
               "ldr r11, %[runs]\n\t"
               "subs r11, #1\n\t"
               "beq 3f\n\t"
               "str r11, %[runs]\n\t"
               "ldr r11, %[to_end]\n\t"
               "add r10, r11\n\t"
               "str r10, %[end]\n\t"
               "ldr r11, %[gap]\n\t"
               "add r8, r11\n\t"
               "b.w 1b\n\t"
               "3:\n\t"
               "ldr r10, %[to]\n\t"
               "stm r10, {r0-r7}"
               : [w] "+m"(line.w), [x] "+m"(line.x), [runs] "+m"(line.runs), [to] "+m"(to),
                 [end] "+m"(end), [to_end] "+m"(to_end), [gap] "+m"(gap), [left_out] "+m"(left_out)
               :
               : ARENITE_TILE_REGISTERS);
#else
  for (; line.runs != 0; --line.runs, line.w += line.w_step) {
    const std::byte* w = line.w;
    for (uint32_t left = line.words; left != 0; --left, w += 4, line.x += 4) {
      tile.add(dsp::load_word(w), line.x);
    }
  }
#endif
}

// Adds the products of a pair of columns at four places.
inline void add_to(const IntegerTaps& p, const std::byte* w, Tile& tile) {
  const uint32_t* x = p.rows;
  const uint32_t words = p.runs.length / 2;
  if (p.runs.length % 2 == 0) {
    TapRuns lines = p.runs;
    lines.count[2] = lines.count[2] != 0 ? 1 : 0;
    for_runs(
        lines, [&](uint32_t k) __attribute__((always_inline)) {
          add_runs({w + size_t{2} * k, x, p.runs.count[2], size_t{2} * p.runs.step[2], words},
                   tile);
          x += size_t{4} * words * p.runs.count[2];
        });
    return;
  }
  for_runs(
      p.runs, [&](uint32_t k) __attribute__((always_inline)) {
        const std::byte* at = w + size_t{2} * k;
        const uint32_t* const end = x + size_t{4} * words;
        add_words(at, x, end, tile);
        tile.add(load_half(at), end);
        x = end + 4;
      });
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
