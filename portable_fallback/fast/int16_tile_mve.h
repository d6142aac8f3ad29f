// The tile of products of 16-bit activations and 8-bit weights with Arm's MVE, which multiplies
// eight activations at once by weights that are widened as they are loaded; and copies of numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {
namespace {

// Numbers of so many, rounded up to vectors.
constexpr uint32_t whole_vectors(uint32_t count) { return (count + 7) / 8 * 8; }

// Copies numbers; returns the end of the copy.
inline int16_t* copy_numbers(int16_t* to, Src<int16_t> from, uint32_t count) {
#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)
  int16_t* const end = to + count;
  asm volatile(
      "wlstp.16 lr, %[count], 2f\n\t"
      "1:\n\t"
      "vldrh.16 q0, [%[from]], #16\n\t"
      "vstrh.16 q0, [%[to]], #16\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [from] "+r"(from), [to] "+r"(to)
      : [count] "r"(count)
      : "lr", "q0", "memory");
  return end;
#else
  for (; count != 0; --count, from += 1) *to++ = *from;
  return to;
#endif
}

// Copies `lines` of so many numbers, at least one, that lie `step` numbers apart: each to whole
// vectors, less `over` of their numbers.
inline int16_t* copy_numbers(int16_t* to, Src<int16_t> from, ptrdiff_t step, uint32_t lines,
                             uint32_t count, uint32_t over) {
#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)
  Src<int16_t> line;
  asm volatile(
      "1:\n\t"
      "mov %[line], %[from]\n\t"
      "add %[from], %[from], %[step], lsl #1\n\t"
      "wlstp.16 lr, %[count], 3f\n\t"
      "2:\n\t"
      "vldrh.16 q0, [%[line]], #16\n\t"
      "vstrh.16 q0, [%[to]], #16\n\t"
      "letp lr, 2b\n\t"
      "3:\n\t"
      "sub %[to], %[to], %[over], lsl #1\n\t"
      "subs %[lines], #1\n\t"
      "bne 1b"
      : [from] "+r"(from), [to] "+r"(to), [lines] "+r"(lines), [line] "=&r"(line)
      : [count] "r"(count), [step] "r"(step), [over] "r"(over)
      : "lr", "q0", "cc", "memory");
#else
  for (; lines != 0; --lines, from += step) {
    copy_numbers(to, from, count);
    to += whole_vectors(count) - over;
  }
#endif
  return to;
}

inline int16_t* fill_numbers(int16_t* to, int32_t number, uint32_t count) {
  int16_t* const end = to + count;
#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)
  asm volatile(
      "vdup.16 q0, %[number]\n\t"
      "wlstp.16 lr, %[count], 2f\n\t"
      "1:\n\t"
      "vstrh.16 q0, [%[to]], #16\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [to] "+r"(to)
      : [count] "r"(count), [number] "r"(number)
      : "lr", "q0", "memory");
#else
  while (to != end) *to++ = static_cast<int16_t>(number);
#endif
  return end;
}

// Weights of a line of runs: each of `length` numbers, and `gap` from where the vectors of one end
// to the next one. Rows of x are whole vectors.
struct Int16Runs {
  uint32_t count, length;  // at least one run
  ptrdiff_t gap;
};

// Multiplies as many numbers as LR says.
#define ARENITE_INT16_TILE         \
  "wlstp.16 lr, lr, 3f\n\t"        \
  "2:\n\t"                         \
  "vldrh.16 q0, [%[x0]], #16\n\t"  \
  "vldrb.s16 q2, [%[w0]], #8\n\t"  \
  "vmladava.s16 %[a0], q0, q2\n\t" \
  "vldrh.16 q1, [%[x1]], #16\n\t"  \
  "vmladava.s16 %[b0], q1, q2\n\t" \
  "vldrb.s16 q3, [%[w1]], #8\n\t"  \
  "vmladava.s16 %[a1], q0, q3\n\t" \
  "vldrb.s16 q2, [%[w2]], #8\n\t"  \
  "vmladava.s16 %[b1], q1, q3\n\t" \
  "vmladava.s16 %[a2], q0, q2\n\t" \
  "vmladava.s16 %[b2], q1, q2\n\t" \
  "letp lr, 2b\n\t"                \
  "3:\n\t"

// The sums of two places by three columns.
struct Int16Tile {
  int32_t a0 = 0, a1 = 0, a2 = 0, b0 = 0, b1 = 0, b2 = 0;

  // Adds `depth` products of rows x0 and x1 and of three rows of weights.
  void add(const int8_t* w0, const int8_t* w1, const int8_t* w2, const int16_t* x0,
           const int16_t* x1, uint32_t depth) {
#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)
    asm volatile(
        "ldr lr, %[depth]\n\t" ARENITE_INT16_TILE
        : [a0] "+Te"(a0), [a1] "+Te"(a1), [a2] "+Te"(a2), [b0] "+Te"(b0), [b1] "+Te"(b1),
          [b2] "+Te"(b2), [w0] "+l"(w0), [w1] "+l"(w1), [w2] "+l"(w2), [x0] "+r"(x0), [x1] "+r"(x1)
        : [depth] "m"(depth)
        : "lr", "q0", "q1", "q2", "q3", "memory");
#else
    const auto add_to = [](int32_t& sum, int8_t w, int16_t x) {
      sum = static_cast<int32_t>(static_cast<uint32_t>(sum) + static_cast<uint32_t>(w * x));
    };
    for (uint32_t k = 0; k < depth; ++k) {
      add_to(a0, w0[k], x0[k]), add_to(a1, w1[k], x0[k]), add_to(a2, w2[k], x0[k]);
      add_to(b0, w0[k], x1[k]), add_to(b1, w1[k], x1[k]), add_to(b2, w2[k], x1[k]);
    }
#endif
  }

  // The same of runs, behind which x0 and x1 point then.
  void add(const int8_t* w0, const int8_t* w1, const int8_t* w2, const int16_t*& x0,
           const int16_t*& x1, const Int16Runs& runs) {
    uint32_t left = runs.count;
#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)
    asm volatile(
        "1:\n\t"
        "ldr lr, %[length]\n\t" ARENITE_INT16_TILE
        "ldr lr, %[gap]\n\t"
        "subs %[left], #1\n\t"
        "add %[w0], lr\n\t"
        "add %[w1], lr\n\t"
        "add %[w2], lr\n\t"
        "bne 1b"
        : [a0] "+Te"(a0), [a1] "+Te"(a1), [a2] "+Te"(a2), [b0] "+Te"(b0), [b1] "+Te"(b1),
          [b2] "+Te"(b2), [w0] "+l"(w0), [w1] "+l"(w1), [w2] "+l"(w2), [x0] "+r"(x0), [x1] "+r"(x1),
          [left] "+r"(left)
        : [length] "m"(runs.length), [gap] "m"(runs.gap)
        : "lr", "q0", "q1", "q2", "q3", "cc", "memory");
#else
    const uint32_t whole = whole_vectors(runs.length);
    const ptrdiff_t step = static_cast<ptrdiff_t>(whole) + runs.gap;
    for (; left != 0; --left, x0 += whole, x1 += whole, w0 += step, w1 += step, w2 += step) {
      add(w0, w1, w2, x0, x1, runs.length);
    }
#endif
  }

  // Writes sums[column], and behind `next` those of the second place.
  void put(int32_t* sums, size_t next) const {
    sums[0] = a0, sums[1] = a1, sums[2] = a2;
    sums[next] = b0, sums[next + 1] = b1, sums[next + 2] = b2;
  }
};

#undef ARENITE_INT16_TILE

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
