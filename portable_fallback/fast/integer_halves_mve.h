// Multiplies 32 numbers of a row by 4-bit weights of a column at once, two weights a byte:
//
//   rows   x0 x2 ... x30 | x1 x3 ... x31 | x32 x34 ...    bytes: of each 32 numbers the even ones
//   first w      a0 a1 | a2 a3 | ... | b0 b1 | ...              bytes of columns a, b, ...
//
// 1. A byte whose lower half is made 0 is 16 times the weight in its upper half, and a byte that is
//    shifted up by 4 is 16 times the one in its lower half. So sums are 16 times those of the
//    weights.
// 2. A tile of two places by three columns keeps its sums in registers: 26 vectors for 192
// products,
//    where whole bytes take 22.
#pragma once

#include "portable_fallback/fast/mve.h"

namespace arenite {
namespace {

constexpr uint32_t kHalvesScale = 4;   // bits
constexpr uint32_t kHalvesGroup = 32;  // numbers of a row whose even ones lie together

// Bytes of the row of a place.
constexpr uint32_t padded_row(uint32_t depth) {
  return (depth + kHalvesGroup - 1) / kHalvesGroup * kHalvesGroup;
}
// Bytes of the weights of a column.
constexpr uint32_t column_bytes(uint32_t depth) { return (depth + 1) / 2; }

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

// Makes a row of numbers that lie in order, there or behind it: reads whole groups. What lies
// behind the last number weighs nothing.
inline void part_row(const int8_t* from, uint32_t depth, int8_t* row) {
  const uint32_t groups = padded_row(depth) / kHalvesGroup;
  asm volatile(
      "wls lr, %[groups], 2f\n\t"
      "1:\n\t"
      "vld20.8 {q0, q1}, [%[from]]\n\t"
      "vld21.8 {q0, q1}, [%[from]]!\n\t"
      "vstrb.8 q0, [%[row]], #16\n\t"
      "vstrb.8 q1, [%[row]], #16\n\t"
      "le lr, 1b\n\t"
      "2:"
      : [from] "+r"(from), [row] "+r"(row)
      : [groups] "r"(groups)
      : "lr", "q0", "q1", "memory");
}

#define ARENITE_MASK "vmov.i8 q7, #0xf0\n\t"
// Sixteen times the weights of a column: q5 of even numbers, q4 of odd ones.
#define ARENITE_WEIGHTS(w) \
  "vldrb.8 q4, [" w        \
  "], #16\n\t"             \
  "vshl.i8 q5, q4, #4\n\t" \
  "vand q4, q4, q7\n\t"
#define ARENITE_ROW(x, even, odd) \
  "vldrb.8 " even ", [" x         \
  "], #16\n\t"                    \
  "vldrb.8 " odd ", [" x "], #16\n\t"
#define ARENITE_COLUMN(multiply, sum, next)         \
  multiply " " sum ", q0, q5\n\t" multiply " " next \
           ", q2, q5\n\t"                           \
           "vmladava.s8 " sum                       \
           ", q1, q4\n\t"                           \
           "vmladava.s8 " next ", q3, q4\n\t"
#define ARENITE_TILE(multiply)         \
  ARENITE_ROW("r9", "q0", "q1")        \
  ARENITE_ROW("r11", "q2", "q3")       \
  ARENITE_WEIGHTS("r1")                \
  ARENITE_COLUMN(multiply, "r0", "r2") \
  ARENITE_WEIGHTS("r3")                \
  ARENITE_COLUMN(multiply, "r4", "r6") ARENITE_WEIGHTS("r5") ARENITE_COLUMN(multiply, "r8", "r10")

// So many triples of columns of two places, at least one; a column has at least 16 bytes.
inline void add_two_by_three_halves(const int8_t* w, const int8_t* x, uint32_t depth,
                                    uint32_t triples, int32_t* sums, uint32_t to_next) {
  uint32_t next_bytes = to_next * sizeof(int32_t);
  uint32_t bytes = column_bytes(depth);
  uint32_t row = padded_row(depth);
  asm volatile(
      "ldr r7, %[w]\n\t" ARENITE_MASK
      "1:\n\t"
      "ldr r12, %[bytes]\n\t"
      "ldr r9, %[x]\n\t"
      "ldr r11, %[row]\n\t"
      "mov r1, r7\n\t"
      "add r11, r9, r11\n\t"
      "add r3, r7, r12\n\t"
      "add r5, r3, r12\n\t"
      "add r7, r5, r12\n\t"  //
      ARENITE_TILE("vmladav.s8")
      "sub lr, r12, #16\n\t"
      "wlstp.8 lr, lr, 3f\n\t"
      "2:\n\t"  //
      ARENITE_TILE("vmladava.s8")
      "letp lr, 2b\n\t"
      "3:\n\t"
      "ldr r12, %[sums]\n\t"
      "ldr r1, %[next]\n\t"
      "strd r0, r4, [r12], #8\n\t"
      "str r8, [r12], #4\n\t"
      "str r12, %[sums]\n\t"
      "add r12, r1\n\t"
      "str r10, [r12, #-4]\n\t"
      "strd r2, r6, [r12, #-12]\n\t"
      "ldr r0, %[triples]\n\t"
      "subs r0, #1\n\t"
      "str r0, %[triples]\n\t"
      "bne.w 1b"
      // What is only read is written too, so that it lies on the stack: no register is left for more.
      : [sums] "+m"(sums), [triples] "+m"(triples), [w] "+m"(w), [x] "+m"(x), [bytes] "+m"(bytes),
        [row] "+m"(row), [next] "+m"(next_bytes)
      :
      : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "lr", "q0",
        "q1", "q2", "q3", "q4", "q5", "q7", "cc", "memory");
}
#undef ARENITE_TILE

inline void add_two_by_one_halves(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums,
                                  uint32_t to_next) {
  const int8_t* x1 = x + padded_row(depth);
  int32_t a = 0;
  int32_t b = 0;
  asm volatile(
      ARENITE_MASK
      "wlstp.8 lr, %[bytes], 2f\n\t"
      "1:\n\t"  //
      ARENITE_ROW("%[x]", "q0", "q1")
      ARENITE_ROW("%[x1]", "q2", "q3")
      ARENITE_WEIGHTS("%[w]")
      ARENITE_COLUMN("vmladava.s8", "%[a]", "%[b]")
      "letp lr, 1b\n\t"
      "2:"
      : [a] "+Te"(a), [b] "+Te"(b), [w] "+r"(w), [x] "+r"(x), [x1] "+r"(x1)
      : [bytes] "r"(column_bytes(depth))
      : "lr", "q0", "q1", "q2", "q3", "q4", "q5", "q7", "memory");
  sums[0] = a;
  sums[to_next] = b;
}
#undef ARENITE_COLUMN

// The sums of two places and `count` columns of up to so many groups: the first of each row stays
// in registers. Where a column ends within a vector, what lies behind it counts as 0.
#define ARENITE_REST        \
  "vpst\n\t"                \
  "vldrbt.8 q4, [%[w]]\n\t" \
  "add %[w], %[rest]\n\t"   \
  "vshl.i8 q5, q4, #4\n\t"  \
  "vand q4, q4, q7\n\t"
#define ARENITE_FIRST            \
  "vmladav.s8 %[a], q0, q5\n\t"  \
  "vmladav.s8 %[b], q2, q5\n\t"  \
  "vmladava.s8 %[a], q1, q4\n\t" \
  "vmladava.s8 %[b], q3, q4\n\t"
#define ARENITE_SECOND           \
  "vldrb.8 q6, [%[x], #32]\n\t"  \
  "vmladava.s8 %[a], q6, q5\n\t" \
  "vldrb.8 q6, [%[x1], #32]\n\t" \
  "vmladava.s8 %[b], q6, q5\n\t" \
  "vldrb.8 q6, [%[x], #48]\n\t"  \
  "vmladava.s8 %[a], q6, q4\n\t" \
  "vldrb.8 q6, [%[x1], #48]\n\t" \
  "vmladava.s8 %[b], q6, q4\n\t"
#define ARENITE_COLUMNS(products)                                                                \
  asm volatile("vctp.8 %[rest]\n\t" ARENITE_MASK                                                 \
               "vldrb.8 q0, [%[x]]\n\t"                                                          \
               "vldrb.8 q1, [%[x], #16]\n\t"                                                     \
               "vldrb.8 q2, [%[x1]]\n\t"                                                         \
               "vldrb.8 q3, [%[x1], #16]\n\t"                                                    \
               "wls lr, %[count], 2f\n\t"                                                        \
               "1:\n\t" products                                                                 \
               "str %[a], [%[sums]], #4\n\t"                                                     \
               "str %[b], [%[next]], #4\n\t"                                                     \
               "le lr, 1b\n\t"                                                                   \
               "2:"                                                                              \
               : [a] "=&Te"(a), [b] "=&Te"(b), [w] "+r"(w), [sums] "+r"(sums), [next] "+r"(next) \
               : [x] "r"(x), [x1] "r"(x1), [rest] "r"(rest), [count] "r"(count)                  \
               : "lr", "q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7", "p0", "memory")
template <uint32_t kGroups, bool kWhole>
inline void add_short_halves(const int8_t* w, const int8_t* x, uint32_t depth, uint32_t count,
                             int32_t* sums, uint32_t to_next) {
  const int8_t* x1 = x + padded_row(depth);
  int32_t* next = sums + to_next;
  const uint32_t rest = column_bytes(depth) - 16 * (kGroups - 1);
  int32_t a, b;
  if constexpr (kGroups == 1 && kWhole) {
    ARENITE_COLUMNS(ARENITE_WEIGHTS("%[w]") ARENITE_FIRST);
  } else if constexpr (kGroups == 1) {
    ARENITE_COLUMNS(ARENITE_REST ARENITE_FIRST);
  } else if constexpr (kWhole) {
    ARENITE_COLUMNS(ARENITE_WEIGHTS("%[w]") ARENITE_FIRST ARENITE_WEIGHTS("%[w]") ARENITE_SECOND);
  } else {
    ARENITE_COLUMNS(ARENITE_WEIGHTS("%[w]") ARENITE_FIRST ARENITE_REST ARENITE_SECOND);
  }
}
#undef ARENITE_COLUMNS
#undef ARENITE_SECOND
#undef ARENITE_FIRST
#undef ARENITE_REST

// So many fours of columns of one place, at least one.
#define ARENITE_COLUMN(w, sum) \
  ARENITE_WEIGHTS(w)           \
  "vmladava.s8 " sum           \
  ", q0, q5\n\t"               \
  "vmladava.s8 " sum ", q1, q4\n\t"
inline void add_one_by_four_halves(const int8_t* w, const int8_t* x, uint32_t depth, uint32_t fours,
                                   int32_t* sums) {
  uint32_t bytes = column_bytes(depth);
  asm volatile(
      "ldr r8, %[w]\n\t"
      "ldr r10, %[sums]\n\t"
      "ldr r11, %[fours]\n\t" ARENITE_MASK
      "1:\n\t"
      "mov r1, r8\n\t"
      "ldr r12, %[bytes]\n\t"
      "ldr r9, %[x]\n\t"
      "add r3, r1, r12\n\t"
      "add r5, r3, r12\n\t"
      "add r7, r5, r12\n\t"
      "add r8, r7, r12\n\t"
      "mov r0, #0\n\t"
      "mov r2, #0\n\t"
      "mov r4, #0\n\t"
      "mov r6, #0\n\t"
      "wlstp.8 lr, r12, 3f\n\t"
      "2:\n\t"  //
      ARENITE_ROW("r9", "q0", "q1")
      ARENITE_COLUMN("r1", "r0")
      ARENITE_COLUMN("r3", "r2")
      ARENITE_COLUMN("r5", "r4")
      ARENITE_COLUMN("r7", "r6")
      "letp lr, 2b\n\t"
      "3:\n\t"
      "stm r10!, {r0, r2, r4, r6}\n\t"
      "subs r11, #1\n\t"
      "bne 1b"
      // What is only read is written too, so that it lies on the stack: no register is left for more.
      : [w] "+m"(w), [sums] "+m"(sums), [fours] "+m"(fours), [x] "+m"(x), [bytes] "+m"(bytes)
      :
      : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "lr", "q0",
        "q1", "q4", "q5", "q7", "cc", "memory");
}

inline void add_one_by_one_halves(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums) {
  int32_t a = 0;
  asm volatile(
      ARENITE_MASK
      "wlstp.8 lr, %[bytes], 2f\n\t"
      "1:\n\t"  //
      ARENITE_ROW("%[x]", "q0", "q1")
      ARENITE_COLUMN("%[w]", "%[a]")
      "letp lr, 1b\n\t"
      "2:"
      : [a] "+Te"(a), [w] "+r"(w), [x] "+r"(x)
      : [bytes] "r"(column_bytes(depth))
      : "lr", "q0", "q1", "q4", "q5", "q7", "memory");
  sums[0] = a;
}
#undef ARENITE_COLUMN
#undef ARENITE_ROW

// Sixteen times the sum of the weights of a column.
inline int32_t sum_of_halves(const int8_t* w, uint32_t depth) {
  int32_t total = 0;
  asm volatile(
      ARENITE_MASK
      "wlstp.8 lr, %[bytes], 2f\n\t"
      "1:\n\t"  //
      ARENITE_WEIGHTS("%[w]")
      "vaddva.s8 %[total], q4\n\t"
      "vaddva.s8 %[total], q5\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [w] "+r"(w), [total] "+Te"(total)
      : [bytes] "r"(column_bytes(depth))
      : "lr", "q4", "q5", "q7", "memory");
  return total;
}
#undef ARENITE_WEIGHTS
#undef ARENITE_MASK

#else

inline void part_row(const int8_t* from, uint32_t depth, int8_t* row) {
  for (uint32_t begin = 0; begin < depth; begin += kHalvesGroup) {
    const uint32_t count = depth - begin < kHalvesGroup ? depth - begin : kHalvesGroup;
    int8_t numbers[kHalvesGroup] = {};
    std::memcpy(numbers, from + begin, count);
    for (uint32_t k = 0; k < kHalvesGroup; ++k) row[begin + k % 2 * 16 + k / 2] = numbers[k];
  }
}

// Sixteen times the weight of a column's number k.
inline int32_t scaled_weight(const int8_t* w, uint32_t k) {
  const auto pair = static_cast<uint8_t>(w[k / 2]);
  return static_cast<int8_t>(k % 2 == 0 ? pair << kHalvesScale : pair & 0xf0);
}

template <uint32_t kPlaces, uint32_t kColumns>
inline void add_tile_of_halves(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums,
                               size_t to_next) {
  int32_t totals[kPlaces][kColumns] = {};
  for (uint32_t k = 0; k < depth; ++k) {
    const uint32_t at = k / kHalvesGroup * kHalvesGroup + k % 2 * 16 + k % kHalvesGroup / 2;
    for (size_t c = 0; c < kColumns; ++c) {
      const int32_t weight = scaled_weight(w + c * column_bytes(depth), k);
      for (size_t p = 0; p < kPlaces; ++p) {
        totals[p][c] = mve::sum(totals[p][c], weight * x[p * padded_row(depth) + at]);
      }
    }
  }
  for (size_t p = 0; p < kPlaces; ++p) {
    for (size_t c = 0; c < kColumns; ++c) sums[p * to_next + c] = totals[p][c];
  }
}

inline void add_two_by_three_halves(const int8_t* w, const int8_t* x, uint32_t depth,
                                    uint32_t triples, int32_t* sums, uint32_t to_next) {
  for (; triples != 0; --triples, w += size_t{3} * column_bytes(depth), sums += 3) {
    add_tile_of_halves<2, 3>(w, x, depth, sums, to_next);
  }
}
inline void add_two_by_one_halves(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums,
                                  uint32_t to_next) {
  add_tile_of_halves<2, 1>(w, x, depth, sums, to_next);
}
template <uint32_t kGroups, bool kWhole>
inline void add_short_halves(const int8_t* w, const int8_t* x, uint32_t depth, uint32_t count,
                             int32_t* sums, uint32_t to_next) {
  for (; count != 0; --count, w += column_bytes(depth), ++sums) {
    add_tile_of_halves<2, 1>(w, x, depth, sums, to_next);
  }
}
inline void add_one_by_four_halves(const int8_t* w, const int8_t* x, uint32_t depth, uint32_t fours,
                                   int32_t* sums) {
  for (; fours != 0; --fours, w += size_t{4} * column_bytes(depth), sums += 4) {
    add_tile_of_halves<1, 4>(w, x, depth, sums, 0);
  }
}
inline void add_one_by_one_halves(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums) {
  add_tile_of_halves<1, 1>(w, x, depth, sums, 0);
}
inline int32_t sum_of_halves(const int8_t* w, uint32_t depth) {
  int32_t total = 0;
  for (uint32_t k = 0; k < depth; ++k) total += scaled_weight(w, k);
  return total;
}

#endif

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
