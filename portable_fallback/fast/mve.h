// Loops of Arm's MVE (Helium) for M-profile CPUs, which computes with vectors of 16 bytes, and the
// same in plain C++ for every other machine.
//
// The loops are predicated: their last round takes as many bytes as are left (WLSTP, LETP). They
// are assembly in builds that optimize, as others keep back a register of those that they need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/access.h"

#ifdef __ARM_FEATURE_MVE
#include <arm_mve.h>
#endif

namespace arenite {
// Belongs to each kernel's file alone, as its flags do.
namespace {
namespace mve {

// a + b and a * b, wrapping.
constexpr int32_t sum(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}
constexpr int32_t product(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
}

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

// Copies bytes; returns the end of the copy.
inline int8_t* copy_bytes(int8_t* to, Src<std::byte> from, uint32_t count) {
  int8_t* const end = to + count;
  asm volatile(
      "wlstp.8 lr, %[count], 2f\n\t"
      "1:\n\t"
      "vldrb.8 q0, [%[from]], #16\n\t"
      "vstrb.8 q0, [%[to]], #16\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [from] "+r"(from), [to] "+r"(to)
      : [count] "r"(count)
      : "lr", "q0", "memory");
  return end;
}

// Copies `lines` lines of `count` bytes, at least one, that lie `step` bytes apart, behind each
// other.
inline int8_t* copy_lines(int8_t* to, Src<std::byte> from, size_t step, uint32_t lines,
                          uint32_t count) {
  Src<std::byte> line;
  int8_t* end;
  asm volatile(
      "1:\n\t"
      "mov %[line], %[from]\n\t"
      "mov %[end], %[to]\n\t"
      "add %[from], %[step]\n\t"
      "add %[to], %[count]\n\t"
      "wlstp.8 lr, %[count], 3f\n\t"
      "2:\n\t"
      "vldrb.8 q0, [%[line]], #16\n\t"
      "vstrb.8 q0, [%[end]], #16\n\t"
      "letp lr, 2b\n\t"
      "3:\n\t"
      "subs %[lines], #1\n\t"
      "bne 1b"
      : [from] "+r"(from), [to] "+r"(to), [lines] "+r"(lines), [line] "=&r"(line), [end] "=&r"(end)
      : [count] "r"(count), [step] "r"(step)
      : "lr", "q0", "cc", "memory");
  return to;
}

inline int8_t* fill_bytes(int8_t* to, int32_t value, uint32_t count) {
  int8_t* const end = to + count;
  asm volatile(
      "vdup.8 q0, %[value]\n\t"
      "wlstp.8 lr, %[count], 2f\n\t"
      "1:\n\t"
      "vstrb.8 q0, [%[to]], #16\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [to] "+r"(to)
      : [count] "r"(count), [value] "r"(value)
      : "lr", "q0", "memory");
  return end;
}

// Makes int8 of uint8.
inline void flip_bytes(int8_t* bytes, uint32_t count) {
  asm volatile(
      "wlstp.8 lr, %[count], 2f\n\t"
      "1:\n\t"
      "vldrb.8 q0, [%[bytes]]\n\t"
      "veor q0, q0, %q[flip]\n\t"
      "vstrb.8 q0, [%[bytes]], #16\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [bytes] "+r"(bytes)
      : [count] "r"(count), [flip] "w"(vdupq_n_u8(0x80))
      : "lr", "q0", "memory");
}

// Adds a number to `count` sums.
inline void add_to_all(int32_t number, uint32_t count, int32_t* sums) {
  asm volatile(
      "wlstp.32 lr, %[count], 2f\n\t"
      "1:\n\t"
      "vldrw.s32 q0, [%[sums]]\n\t"
      "vadd.i32 q0, q0, %[number]\n\t"
      "vstrw.32 q0, [%[sums]], #16\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [sums] "+r"(sums)
      : [count] "r"(count), [number] "r"(number)
      : "lr", "q0", "memory");
}

// `count` is a multiple of four.
inline uint32_t* fill_words(uint32_t* to, uint32_t word, uint32_t count) {
  const uint32x4_t vector = vdupq_n_u32(word);
  for (; count >= 4; count -= 4, to += 4) vstrwq_u32(to, vector);
  return to;
}

inline int32_t sum_of_bytes(const int8_t* from, uint32_t count) {
  int32_t total = 0;
  asm volatile(
      "wlstp.8 lr, %[count], 2f\n\t"
      "1:\n\t"
      "vldrb.8 q0, [%[from]], #16\n\t"
      "vaddva.s8 %[total], q0\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [from] "+r"(from), [total] "+Te"(total)
      : [count] "r"(count)
      : "lr", "q0", "memory");
  return total;
}

// Makes int8 of uint8, and adds them up.
inline int32_t sum_of_flipped(int8_t* bytes, uint32_t count) {
  int32_t total = 0;
  asm volatile(
      "wlstp.8 lr, %[count], 2f\n\t"
      "1:\n\t"
      "vldrb.8 q0, [%[bytes]]\n\t"
      "veor q0, q0, %q[flip]\n\t"
      "vaddva.s8 %[total], q0\n\t"
      "vstrb.8 q0, [%[bytes]], #16\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [bytes] "+r"(bytes), [total] "+Te"(total)
      : [count] "r"(count), [flip] "w"(vdupq_n_u8(0x80))
      : "lr", "q0", "memory");
  return total;
}

// Tiles of places by columns: sums[place * to_next + column] = the products of `depth`
// bytes of a place's row and a column's weights. Rows of both follow each other.
//
// Sums lie in even registers, of which seven are free: two places by three columns take 11 vectors
// for 96 products. The first vectors, which are whole, need no sums before them.
#define ARENITE_TILE(multiply)                                                               \
  "vldrb.8 q0, [r9], #16\n\t"                                                                \
  "vldrb.8 q2, [r1], #16\n\t" multiply                                                       \
  " r0, q0, q2\n\t"                                                                          \
  "vldrb.8 q1, [r11], #16\n\t" multiply                                                      \
  " r2, q1, q2\n\t"                                                                          \
  "vldrb.8 q3, [r3], #16\n\t" multiply                                                       \
  " r4, q0, q3\n\t"                                                                          \
  "vldrb.8 q2, [r5], #16\n\t" multiply " r6, q1, q3\n\t" multiply " r8, q0, q2\n\t" multiply \
  " r10, q1, q2\n\t"

// So many triples of columns of two places, at least one; depth is at least 16.
inline void add_two_by_three(const int8_t* w, const int8_t* x, uint32_t depth, uint32_t triples,
                             int32_t* sums, uint32_t to_next) {
  uint32_t next_bytes = to_next * sizeof(int32_t);
  // Of the vectors behind the first, four that are whole are a round.
  uint32_t rounds = (depth - 16) / 64;
  uint32_t rest = (depth - 16) % 64;
  asm volatile(
      "ldr r7, %[w]\n\t"
      "1:\n\t"
      "ldr r12, %[depth]\n\t"
      "ldr r9, %[x]\n\t"
      "mov r1, r7\n\t"
      "add r11, r9, r12\n\t"
      "add r3, r7, r12\n\t"
      "add r5, r3, r12\n\t"
      "add r7, r5, r12\n\t"
      "ldr lr, %[rounds]\n\t"  //
      ARENITE_TILE("vmladav.s8")
      "wls lr, lr, 3f\n\t"
      "2:\n\t"  //
      ARENITE_TILE("vmladava.s8") ARENITE_TILE("vmladava.s8") ARENITE_TILE("vmladava.s8")
          ARENITE_TILE("vmladava.s8")
      "le lr, 2b\n\t"
      "3:\n\t"
      "ldr lr, %[rest]\n\t"
      "wlstp.8 lr, lr, 5f\n\t"
      "4:\n\t"  //
      ARENITE_TILE("vmladava.s8")
      "letp lr, 4b\n\t"
      "5:\n\t"
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
      "bne 1b"
      // What is only read is written too, so that it lies on the stack: no register is left for more.
      : [sums] "+m"(sums), [triples] "+m"(triples), [w] "+m"(w), [x] "+m"(x), [depth] "+m"(depth),
        [next] "+m"(next_bytes), [rounds] "+m"(rounds), [rest] "+m"(rest)
      :
      : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "lr", "q0",
        "q1", "q2", "q3", "cc", "memory");
}
#undef ARENITE_TILE

inline void add_two_by_one(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums,
                           uint32_t to_next) {
  const int8_t* x1 = x + depth;
  int32_t a0 = 0;
  int32_t b0 = 0;
  asm volatile(
      "wlstp.8 lr, %[depth], 2f\n\t"
      "1:\n\t"
      "vldrb.8 q2, [%[w]], #16\n\t"
      "vldrb.8 q0, [%[x]], #16\n\t"
      "vmladava.s8 %[a0], q0, q2\n\t"
      "vldrb.8 q1, [%[x1]], #16\n\t"
      "vmladava.s8 %[b0], q1, q2\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [a0] "+Te"(a0), [b0] "+Te"(b0), [w] "+r"(w), [x] "+r"(x), [x1] "+r"(x1)
      : [depth] "r"(depth)
      : "lr", "q0", "q1", "q2", "memory");
  sums[0] = a0;
  sums[to_next] = b0;
}

// The sums of two places and `count` columns of so many vectors each, of which the last is whole or
// not: rows stay in registers, but for a fourth vector.
#define ARENITE_WEIGHTS "vldrb.8 q7, [%[w]], #16\n\t"
#define ARENITE_REST        \
  "vpst\n\t"                \
  "vldrbt.8 q7, [%[w]]\n\t" \
  "add %[w], %[rest]\n\t"
#define ARENITE_FIRST           \
  "vmladav.s8 %[a], q0, q7\n\t" \
  "vmladav.s8 %[b], q3, q7\n\t"
#define ARENITE_SECOND           \
  "vmladava.s8 %[a], q1, q7\n\t" \
  "vmladava.s8 %[b], q4, q7\n\t"
#define ARENITE_THIRD            \
  "vmladava.s8 %[a], q2, q7\n\t" \
  "vmladava.s8 %[b], q5, q7\n\t"
#define ARENITE_FOURTH           \
  "vldrb.8 q6, [%[x], #48]\n\t"  \
  "vmladava.s8 %[a], q6, q7\n\t" \
  "vldrb.8 q6, [%[x1], #48]\n\t" \
  "vmladava.s8 %[b], q6, q7\n\t"
#define ARENITE_FOURTH_REST       \
  "vpstttt\n\t"                   \
  "vldrbt.8 q7, [%[w]]\n\t"       \
  "vldrbt.8 q6, [%[x], #48]\n\t"  \
  "vmladavat.s8 %[a], q6, q7\n\t" \
  "vldrbt.8 q6, [%[x1], #48]\n\t" \
  "vmladava.s8 %[b], q6, q7\n\t"  \
  "add %[w], %[rest]\n\t"
#define ARENITE_ROWS(at, of_x, of_x1) \
  "vldrb.8 " of_x ", [%[x], #" at     \
  "]\n\t"                             \
  "vldrb.8 " of_x1 ", [%[x1], #" at "]\n\t"
#define ARENITE_LAST_ROWS(at, of_x, of_x1) \
  "vpstt\n\t"                              \
  "vldrbt.8 " of_x ", [%[x], #" at         \
  "]\n\t"                                  \
  "vldrbt.8 " of_x1 ", [%[x1], #" at "]\n\t"
#define ARENITE_COLUMNS(rows, products)                                                          \
  asm volatile("vctp.8 %[rest]\n\t" rows                                                         \
               "wls lr, %[count], 2f\n\t"                                                        \
               "1:\n\t" products                                                                 \
               "str %[a], [%[sums]], #4\n\t"                                                     \
               "str %[b], [%[next]], #4\n\t"                                                     \
               "le lr, 1b\n\t"                                                                   \
               "2:"                                                                              \
               : [a] "=&Te"(a), [b] "=&Te"(b), [w] "+r"(w), [sums] "+r"(sums), [next] "+r"(next) \
               : [x] "r"(x), [x1] "r"(x1), [rest] "r"(rest), [count] "r"(count)                  \
               : "lr", "q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7", "p0", "memory")
#define ARENITE_ROWS1 ARENITE_LAST_ROWS("0", "q0", "q3")
#define ARENITE_ROWS2 ARENITE_ROWS("0", "q0", "q3") ARENITE_LAST_ROWS("16", "q1", "q4")
#define ARENITE_ROWS3 \
  ARENITE_ROWS("0", "q0", "q3") ARENITE_ROWS("16", "q1", "q4") ARENITE_LAST_ROWS("32", "q2", "q5")
#define ARENITE_ROWS4 \
  ARENITE_ROWS("0", "q0", "q3") ARENITE_ROWS("16", "q1", "q4") ARENITE_ROWS("32", "q2", "q5")
template <uint32_t kVectors, bool kWhole>
inline void add_short_columns(const int8_t* w, const int8_t* x, uint32_t depth, uint32_t count,
                              int32_t* sums, uint32_t to_next) {
  const int8_t* x1 = x + depth;
  int32_t* next = sums + to_next;
  const uint32_t rest = depth - 16 * (kVectors - 1);
  int32_t a, b;
  if constexpr (kVectors == 1 && kWhole) {
    ARENITE_COLUMNS(ARENITE_ROWS1, ARENITE_WEIGHTS ARENITE_FIRST);
  } else if constexpr (kVectors == 1) {
    ARENITE_COLUMNS(ARENITE_ROWS1, ARENITE_REST ARENITE_FIRST);
  } else if constexpr (kVectors == 2 && kWhole) {
    ARENITE_COLUMNS(ARENITE_ROWS2, ARENITE_WEIGHTS ARENITE_FIRST ARENITE_WEIGHTS ARENITE_SECOND);
  } else if constexpr (kVectors == 2) {
    ARENITE_COLUMNS(ARENITE_ROWS2, ARENITE_WEIGHTS ARENITE_FIRST ARENITE_REST ARENITE_SECOND);
  } else if constexpr (kVectors == 3 && kWhole) {
    ARENITE_COLUMNS(
        ARENITE_ROWS3,
        ARENITE_WEIGHTS ARENITE_FIRST ARENITE_WEIGHTS ARENITE_SECOND ARENITE_WEIGHTS ARENITE_THIRD);
  } else if constexpr (kVectors == 3) {
    ARENITE_COLUMNS(
        ARENITE_ROWS3,
        ARENITE_WEIGHTS ARENITE_FIRST ARENITE_WEIGHTS ARENITE_SECOND ARENITE_REST ARENITE_THIRD);
  } else if constexpr (kWhole) {
    ARENITE_COLUMNS(ARENITE_ROWS4,
                    ARENITE_WEIGHTS ARENITE_FIRST ARENITE_WEIGHTS ARENITE_SECOND ARENITE_WEIGHTS
                        ARENITE_THIRD ARENITE_WEIGHTS ARENITE_FOURTH);
  } else {
    ARENITE_COLUMNS(ARENITE_ROWS4, ARENITE_WEIGHTS ARENITE_FIRST ARENITE_WEIGHTS ARENITE_SECOND
                                       ARENITE_WEIGHTS ARENITE_THIRD ARENITE_FOURTH_REST);
  }
}
#undef ARENITE_ROWS4
#undef ARENITE_ROWS3
#undef ARENITE_ROWS2
#undef ARENITE_ROWS1
#undef ARENITE_COLUMNS
#undef ARENITE_LAST_ROWS
#undef ARENITE_ROWS
#undef ARENITE_FOURTH_REST
#undef ARENITE_FOURTH
#undef ARENITE_THIRD
#undef ARENITE_SECOND
#undef ARENITE_FIRST
#undef ARENITE_REST
#undef ARENITE_WEIGHTS

// So many fours of columns of one place, at least one; depth is at least 16.
#define ARENITE_TILE(multiply)         \
  "vldrb.8 q0, [r9], #16\n\t"          \
  "vldrb.8 q1, [r1], #16\n\t" multiply \
  " r0, q0, q1\n\t"                    \
  "vldrb.8 q2, [r3], #16\n\t" multiply \
  " r2, q0, q2\n\t"                    \
  "vldrb.8 q1, [r5], #16\n\t" multiply \
  " r4, q0, q1\n\t"                    \
  "vldrb.8 q2, [r7], #16\n\t" multiply " r6, q0, q2\n\t"
inline void add_one_by_four(const int8_t* w, const int8_t* x, uint32_t depth, uint32_t fours,
                            int32_t* sums) {
  asm volatile(
      "ldr r8, %[w]\n\t"
      "ldr r10, %[sums]\n\t"
      "ldr r11, %[fours]\n\t"
      "1:\n\t"
      "mov r1, r8\n\t"
      "ldr r12, %[depth]\n\t"
      "ldr r9, %[x]\n\t"
      "add r3, r1, r12\n\t"
      "add r5, r3, r12\n\t"
      "add r7, r5, r12\n\t"
      "add r8, r7, r12\n\t"  //
      ARENITE_TILE("vmladav.s8")
      "sub lr, r12, #16\n\t"
      "wlstp.8 lr, lr, 3f\n\t"
      "2:\n\t"  //
      ARENITE_TILE("vmladava.s8")
      "letp lr, 2b\n\t"
      "3:\n\t"
      "stm r10!, {r0, r2, r4, r6}\n\t"
      "subs r11, #1\n\t"
      "bne 1b"
      // What is only read is written too, so that it lies on the stack: no register is left for more.
      : [w] "+m"(w), [sums] "+m"(sums), [fours] "+m"(fours), [x] "+m"(x), [depth] "+m"(depth)
      :
      : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "lr", "q0", "q1", "q2", "cc",
        "memory");
}
#undef ARENITE_TILE

// to[i] = bias[i] + added * to[i].
inline void fold(const int32_t* bias, int32_t added, uint32_t count, int32_t* to) {
  for (; count != 0; bias += 4, to += 4) {
    const mve_pred16_t left = vctp32q(count);
    const int32x4_t sums = vldrwq_z_s32(to, left);
    vstrwq_p_s32(to, vmlaq_n_s32(vldrwq_z_s32(bias, left), sums, added), left);
    count -= count < 4 ? count : 4;
  }
}

// The same of one place by three columns, whose weights are summed besides.
inline void add_one_by_three(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums,
                             int32_t* weight_sums) {
  const int8_t* w1 = w + depth;
  const int8_t* w2 = w1 + depth;
  int32_t a0 = 0, a1 = 0, a2 = 0;
  int32_t b0 = 0, b1 = 0, b2 = 0;
  asm volatile(
      "ldr lr, %[depth]\n\t"
      "wlstp.8 lr, lr, 2f\n\t"
      "1:\n\t"
      "vldrb.8 q0, [%[x]], #16\n\t"
      "vldrb.8 q1, [%[w]], #16\n\t"
      "vmladava.s8 %[a0], q0, q1\n\t"
      "vaddva.s8 %[b0], q1\n\t"
      "vldrb.8 q2, [%[w1]], #16\n\t"
      "vmladava.s8 %[a1], q0, q2\n\t"
      "vaddva.s8 %[b1], q2\n\t"
      "vldrb.8 q3, [%[w2]], #16\n\t"
      "vmladava.s8 %[a2], q0, q3\n\t"
      "vaddva.s8 %[b2], q3\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [a0] "+Te"(a0), [a1] "+Te"(a1), [a2] "+Te"(a2), [b0] "+Te"(b0), [b1] "+Te"(b1),
        [b2] "+Te"(b2), [w] "+r"(w), [w1] "+r"(w1), [w2] "+r"(w2), [x] "+r"(x)
      : [depth] "m"(depth)
      : "lr", "q0", "q1", "q2", "q3", "memory");
  sums[0] = a0;
  sums[1] = a1;
  sums[2] = a2;
  weight_sums[0] = b0;
  weight_sums[1] = b1;
  weight_sums[2] = b2;
}

inline void add_one_by_one(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums) {
  int32_t a0 = 0;
  asm volatile(
      "wlstp.8 lr, %[depth], 2f\n\t"
      "1:\n\t"
      "vldrb.8 q0, [%[x]], #16\n\t"
      "vldrb.8 q1, [%[w]], #16\n\t"
      "vmladava.s8 %[a0], q0, q1\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [a0] "+Te"(a0), [w] "+r"(w), [x] "+r"(x)
      : [depth] "r"(depth)
      : "lr", "q0", "q1", "memory");
  sums[0] = a0;
}

#else

inline int8_t* copy_bytes(int8_t* to, Src<std::byte> from, uint32_t count) {
  for (; count != 0; --count, from += 1) *to++ = static_cast<int8_t>(*from);
  return to;
}
inline int8_t* copy_lines(int8_t* to, Src<std::byte> from, size_t step, uint32_t lines,
                          uint32_t count) {
  for (; lines != 0; --lines, from += step) to = copy_bytes(to, from, count);
  return to;
}
inline int8_t* fill_bytes(int8_t* to, int32_t value, uint32_t count) {
  for (; count != 0; --count) *to++ = static_cast<int8_t>(value);
  return to;
}
inline void flip_bytes(int8_t* bytes, uint32_t count) {
  for (; count != 0; --count, ++bytes) *bytes = static_cast<int8_t>(*bytes ^ -128);
}
inline void add_to_all(int32_t number, uint32_t count, int32_t* sums) {
  for (; count != 0; --count, ++sums) *sums = sum(*sums, number);
}
inline uint32_t* fill_words(uint32_t* to, uint32_t word, uint32_t count) {
  for (; count != 0; --count) *to++ = word;
  return to;
}
inline int32_t sum_of_bytes(const int8_t* from, uint32_t count) {
  int32_t total = 0;
  for (; count != 0; --count) total += *from++;
  return total;
}

inline int32_t sum_of_flipped(int8_t* bytes, uint32_t count) {
  int32_t total = 0;
  for (; count != 0; --count, ++bytes) {
    const auto number = static_cast<int8_t>(*bytes ^ -128);
    *bytes = number;
    total += number;
  }
  return total;
}

// Loads each number once, as the vectors do.
template <uint32_t kPlaces, uint32_t kColumns>
inline void add_tile(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums,
                     size_t to_next) {
  int32_t totals[kPlaces][kColumns] = {};
  for (uint32_t k = 0; k < depth; ++k) {
    int32_t numbers[kPlaces];
    for (size_t p = 0; p < kPlaces; ++p) numbers[p] = x[p * depth + k];
    for (size_t c = 0; c < kColumns; ++c) {
      const int32_t weight = w[c * depth + k];
      for (size_t p = 0; p < kPlaces; ++p) totals[p][c] = sum(totals[p][c], weight * numbers[p]);
    }
  }
  for (size_t p = 0; p < kPlaces; ++p) {
    for (size_t c = 0; c < kColumns; ++c) sums[p * to_next + c] = totals[p][c];
  }
}

inline void add_one_by_one(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums) {
  add_tile<1, 1>(w, x, depth, sums, 0);
}
inline void add_one_by_four(const int8_t* w, const int8_t* x, uint32_t depth, uint32_t fours,
                            int32_t* sums) {
  for (; fours != 0; --fours, w += 4 * depth, sums += 4) add_tile<1, 4>(w, x, depth, sums, 0);
}
inline void add_two_by_one(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums,
                           uint32_t to_next) {
  add_tile<2, 1>(w, x, depth, sums, to_next);
}
inline void add_two_by_three(const int8_t* w, const int8_t* x, uint32_t depth, uint32_t triples,
                             int32_t* sums, uint32_t to_next) {
  for (; triples != 0; --triples, w += 3 * depth, sums += 3) {
    add_tile<2, 3>(w, x, depth, sums, to_next);
  }
}

inline void fold(const int32_t* bias, int32_t added, uint32_t count, int32_t* to) {
  for (; count != 0; --count, ++to) *to = sum(*bias++, product(added, *to));
}

inline void add_one_by_three(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums,
                             int32_t* weight_sums) {
  int32_t totals[3] = {}, weights[3] = {};
  for (uint32_t k = 0; k < depth; ++k) {
    const int32_t number = x[k];
    for (size_t j = 0; j < 3; ++j) {
      const int32_t weight = w[j * depth + k];
      totals[j] = sum(totals[j], weight * number);
      weights[j] += weight;
    }
  }
  for (size_t j = 0; j < 3; ++j) {
    sums[j] = totals[j];
    weight_sums[j] = weights[j];
  }
}

template <uint32_t kVectors, bool kWhole>
inline void add_short_columns(const int8_t* w, const int8_t* x, uint32_t depth, uint32_t count,
                              int32_t* sums, uint32_t to_next) {
  // Three vectors of each row stay in registers.
  constexpr uint32_t kKept = 16 * (kVectors < 3 ? kVectors : 3);
  int8_t rows[2][kKept];
  for (uint32_t k = 0; k < kKept && k < depth; ++k) {
    rows[0][k] = x[k];
    rows[1][k] = x[depth + k];
  }
  for (; count != 0; --count, w += depth, ++sums) {
    int32_t a = 0, b = 0;
    for (uint32_t k = 0; k < depth; ++k) {
      const int32_t weight = w[k];
      a = sum(a, weight * (k < kKept ? rows[0][k] : x[k]));
      b = sum(b, weight * (k < kKept ? rows[1][k] : x[depth + k]));
    }
    sums[0] = a;
    sums[to_next] = b;
  }
}

#endif

}  // namespace mve
}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
