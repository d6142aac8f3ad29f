// Multiplies pairs of 16-bit numbers of four places by two columns of weights of 8 bits.
#pragma once

#include <cstring>

#include "portable_fallback/fast/dsp.h"
#include "portable_fallback/fast/integer_tile_registers_dsp.h"

namespace arenite {
namespace {

inline int32_t wrapped_sum(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

// The word of the last products where their number is odd.
inline uint32_t load_half(const std::byte* w) {
  uint16_t half;
  std::memcpy(&half, w, sizeof half);
  return half;
}

// The sums of two columns, a and b, at four places.
struct Tile {
  int32_t a0, a1, a2, a3;
  int32_t b0, b1, b2, b3;

  // Begins at the columns' biases and what each place adds.
  Tile(int32_t a, int32_t b, const int32_t (&of_places)[4])
      : a0(wrapped_sum(a, of_places[0])),
        a1(wrapped_sum(a, of_places[1])),
        a2(wrapped_sum(a, of_places[2])),
        a3(wrapped_sum(a, of_places[3])),
        b0(wrapped_sum(b, of_places[0])),
        b1(wrapped_sum(b, of_places[1])),
        b2(wrapped_sum(b, of_places[2])),
        b3(wrapped_sum(b, of_places[3])) {}

  // Adds the products of a word of w.
  void add(uint32_t word, const uint32_t* x) {
    const uint32_t even = dsp::even_bytes(word);
    const uint32_t odd = dsp::odd_bytes(word);
    dsp::add_products(even, x[0], a0);
    dsp::add_products(odd, x[0], b0);
    dsp::add_products(even, x[1], a1);
    dsp::add_products(odd, x[1], b1);
    dsp::add_products(even, x[2], a2);
    dsp::add_products(odd, x[2], b2);
    dsp::add_products(even, x[3], a3);
    dsp::add_products(odd, x[3], b3);
  }
};

#if defined(__ARM_ARCH_7EM__) && defined(__OPTIMIZE__)
// The products of a word of w and four places: eight sums, two words of w, two of x and both
// pointers take all 14 registers. A compiler keeps sums in memory instead.
#define ARENITE_ADD_WORD        \
  "ldr.w r11, [r8], #4\n\t"     \
  "ldrd r12, lr, [r9], #8\n\t"  \
  "sxtb16 r10, r11\n\t"         \
  "sxtb16 r11, r11, ror #8\n\t" \
  "smlad r0, r10, r12, r0\n\t"  \
  "smlad r4, r11, r12, r4\n\t"  \
  "smlad r1, r10, lr, r1\n\t"   \
  "smlad r5, r11, lr, r5\n\t"   \
  "ldrd r12, lr, [r9], #8\n\t"  \
  "smlad r2, r10, r12, r2\n\t"  \
  "smlad r6, r11, r12, r6\n\t"  \
  "smlad r3, r10, lr, r3\n\t"   \
  "smlad r7, r11, lr, r7\n\t"
#endif

// Adds the products of the words from x to their end to the sums, behind which w then lies.
inline void add_words(const std::byte*& w, const uint32_t* x, const uint32_t* end, Tile& tile) {
#if defined(__ARM_ARCH_7EM__) && defined(__OPTIMIZE__)
  if (x == end) return;
  Tile* to = &tile;
  asm volatile(ARENITE_LOAD_TILE "1:\n\t" ARENITE_ADD_WORD
                                 "ldr r10, %[end]\n\t"
                                 "cmp r9, r10\n\t"
                                 "bne 1b\n\t"
                                 "ldr r10, %[to]\n\t"
                                 "stm r10, {r0-r7}\n\t"
                                 "str r8, %[w]"
               : [w] "+m"(w), [x] "+m"(x), [to] "+m"(to), [end] "+m"(end)
               :
               : ARENITE_TILE_REGISTERS);
#else
  for (; x != end; w += 4, x += 4) tile.add(dsp::load_word(w), x);
#endif
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
