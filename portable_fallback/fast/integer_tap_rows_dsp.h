// Multiplies runs of pairs of 16-bit numbers, which places read, by two columns of weights of 8
// bits.
#pragma once

#include "portable_fallback/fast/integer_taps.h"
#include "portable_fallback/fast/integer_tile_dsp.h"

namespace arenite {
namespace {

// Whether all taps of four places along a line lie in x.
inline bool are_inside(const IntegerTaps& p, uint32_t place) {
  const TapAxis& width = p.axes[2];
  if (width.taps == 0) return false;
  const int32_t left = width.first + static_cast<int32_t>(place * p.advance);
  const int32_t right = left + static_cast<int32_t>(3 * p.advance);
  const int32_t reach = static_cast<int32_t>(width.taps - 1) * width.step;
  const int32_t lowest = reach < 0 ? left + reach : left;
  const int32_t highest = reach < 0 ? right : right + reach;
  return lowest >= 0 && highest < static_cast<int32_t>(width.input);
}

// The sums of two columns at two places.
using Sums = int32_t[2][2];

// Adds the products of a word of w to two columns' sums.
inline void add_word(uint32_t word, const uint32_t* x, Sums& sums) {
  const uint32_t first = dsp::even_bytes(word);
  const uint32_t second = dsp::odd_bytes(word);
  dsp::add_products(first, x[0], sums[0][0]);
  dsp::add_products(second, x[0], sums[1][0]);
  dsp::add_products(first, x[1], sums[0][1]);
  dsp::add_products(second, x[1], sums[1][1]);
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
  asm volatile(
      "ldr r8, %[w]\n\t"
      "ldr r9, %[x]\n\t"
      "ldr r10, %[to]\n\t"
      "ldm r10, {r0-r7}\n\t"
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
      // What is only read is written too, so that it lies on the stack: no register is left for
      // more.
      : [w] "+m"(line.w), [x] "+m"(line.x), [runs] "+m"(line.runs), [to] "+m"(to), [end] "+m"(end),
        [to_end] "+m"(to_end), [gap] "+m"(gap), [left_out] "+m"(left_out)
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

// The same at two places, of which they may be all that a single one needs.
inline void add_to(const IntegerTaps& p, const std::byte* w, Sums& sums) {
  const uint32_t* x = p.rows;
  for_runs(
      p.runs, [&](uint32_t k) __attribute__((always_inline)) {
        const std::byte* at = w + size_t{2} * k;
        for (uint32_t left = p.runs.length / 2; left != 0; --left, at += 4, x += 2) {
          add_word(dsp::load_word(at), x, sums);
        }
        if (p.runs.length % 2 != 0) {
          add_word(load_half(at), x, sums);
          x += 2;
        }
      });
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
