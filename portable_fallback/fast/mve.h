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

// Tiles of places by columns: sums[place * to_next + column] = the products of `depth`
// bytes of a place's row and a column's weights. Rows of both follow each other.
//
// Sums lie in even registers, of which seven are free: two places by three columns take 11 vectors
// for 96 products.
inline void add_two_by_three(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums,
                             uint32_t to_next) {
  const int8_t* w1 = w + depth;
  const int8_t* w2 = w1 + depth;
  const int8_t* x1 = x + depth;
  int32_t a0 = 0, a1 = 0, a2 = 0;
  int32_t b0 = 0, b1 = 0, b2 = 0;
  asm volatile(
      "ldr lr, %[depth]\n\t"
      "wlstp.8 lr, lr, 2f\n\t"
      "1:\n\t"
      "vldrb.8 q0, [%[x]], #16\n\t"
      "vldrb.8 q2, [%[w]], #16\n\t"
      "vmladava.s8 %[a0], q0, q2\n\t"
      "vldrb.8 q1, [%[x1]], #16\n\t"
      "vmladava.s8 %[b0], q1, q2\n\t"
      "vldrb.8 q3, [%[w1]], #16\n\t"
      "vmladava.s8 %[a1], q0, q3\n\t"
      "vldrb.8 q2, [%[w2]], #16\n\t"
      "vmladava.s8 %[b1], q1, q3\n\t"
      "vmladava.s8 %[a2], q0, q2\n\t"
      "vmladava.s8 %[b2], q1, q2\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [a0] "+Te"(a0), [a1] "+Te"(a1), [a2] "+Te"(a2), [b0] "+Te"(b0), [b1] "+Te"(b1),
        [b2] "+Te"(b2), [w] "+r"(w), [w1] "+r"(w1), [w2] "+r"(w2), [x] "+r"(x), [x1] "+r"(x1)
      : [depth] "m"(depth)
      : "lr", "q0", "q1", "q2", "q3", "memory");
  sums[0] = a0;
  sums[1] = a1;
  sums[2] = a2;
  sums += to_next;
  sums[0] = b0;
  sums[1] = b1;
  sums[2] = b2;
}

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

// The sums of two places and `count` columns of up to 16 products each, or with kMore of 17 to 32:
// rows stay in registers.
template <bool kMore>
inline void add_short_columns(const int8_t* w, const int8_t* x, uint32_t depth, uint32_t count,
                              int32_t* sums, uint32_t to_next) {
  const int8_t* x1 = x + depth;
  int32_t* next = sums + to_next;
  int32_t a, b;
  if constexpr (kMore) {
    asm volatile(
        "vctp.8 %[rest]\n\t"
        "vldrb.8 q0, [%[x]]\n\t"
        "vldrb.8 q1, [%[x1]]\n\t"
        "vpstt\n\t"
        "vldrbt.8 q2, [%[x], #16]\n\t"
        "vldrbt.8 q3, [%[x1], #16]\n\t"
        "wls lr, %[count], 2f\n\t"
        "1:\n\t"
        "vldrb.8 q4, [%[w]]\n\t"
        "vpst\n\t"
        "vldrbt.8 q5, [%[w], #16]\n\t"
        "add %[w], %[depth]\n\t"
        "vmladav.s8 %[a], q0, q4\n\t"
        "vmladav.s8 %[b], q1, q4\n\t"
        "vmladava.s8 %[a], q2, q5\n\t"
        "vmladava.s8 %[b], q3, q5\n\t"
        "str %[a], [%[sums]], #4\n\t"
        "str %[b], [%[next]], #4\n\t"
        "le lr, 1b\n\t"
        "2:"
        : [a] "=&Te"(a), [b] "=&Te"(b), [w] "+r"(w), [sums] "+r"(sums), [next] "+r"(next)
        : [x] "r"(x), [x1] "r"(x1), [depth] "r"(depth), [rest] "r"(depth - 16), [count] "r"(count)
        : "lr", "q0", "q1", "q2", "q3", "q4", "q5", "p0", "memory");
  } else {
    asm volatile(
        "vctp.8 %[depth]\n\t"
        "vpstt\n\t"
        "vldrbt.8 q0, [%[x]]\n\t"
        "vldrbt.8 q1, [%[x1]]\n\t"
        "wls lr, %[count], 2f\n\t"
        "1:\n\t"
        "vpst\n\t"
        "vldrbt.8 q2, [%[w]]\n\t"
        "add %[w], %[depth]\n\t"
        "vmladav.s8 %[a], q0, q2\n\t"
        "vmladav.s8 %[b], q1, q2\n\t"
        "str %[a], [%[sums]], #4\n\t"
        "str %[b], [%[next]], #4\n\t"
        "le lr, 1b\n\t"
        "2:"
        : [a] "=&Te"(a), [b] "=&Te"(b), [w] "+r"(w), [sums] "+r"(sums), [next] "+r"(next)
        : [x] "r"(x), [x1] "r"(x1), [depth] "r"(depth), [count] "r"(count)
        : "lr", "q0", "q1", "q2", "p0", "memory");
  }
}

inline void add_one_by_four(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums) {
  const int8_t* w1 = w + depth;
  const int8_t* w2 = w1 + depth;
  const int8_t* w3 = w2 + depth;
  int32_t a0 = 0, a1 = 0, a2 = 0, a3 = 0;
  asm volatile(
      "wlstp.8 lr, %[depth], 2f\n\t"
      "1:\n\t"
      "vldrb.8 q0, [%[x]], #16\n\t"
      "vldrb.8 q1, [%[w]], #16\n\t"
      "vmladava.s8 %[a0], q0, q1\n\t"
      "vldrb.8 q2, [%[w1]], #16\n\t"
      "vmladava.s8 %[a1], q0, q2\n\t"
      "vldrb.8 q1, [%[w2]], #16\n\t"
      "vmladava.s8 %[a2], q0, q1\n\t"
      "vldrb.8 q2, [%[w3]], #16\n\t"
      "vmladava.s8 %[a3], q0, q2\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [a0] "+Te"(a0), [a1] "+Te"(a1), [a2] "+Te"(a2), [a3] "+Te"(a3), [w] "+r"(w), [w1] "+r"(w1),
        [w2] "+r"(w2), [w3] "+r"(w3), [x] "+r"(x)
      : [depth] "r"(depth)
      : "lr", "q0", "q1", "q2", "memory");
  sums[0] = a0;
  sums[1] = a1;
  sums[2] = a2;
  sums[3] = a3;
}

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
inline int8_t* fill_bytes(int8_t* to, int32_t value, uint32_t count) {
  for (; count != 0; --count) *to++ = static_cast<int8_t>(value);
  return to;
}
inline int32_t sum_of_bytes(const int8_t* from, uint32_t count) {
  int32_t total = 0;
  for (; count != 0; --count) total += *from++;
  return total;
}

inline int32_t add_row(const int8_t* w, const int8_t* x, uint32_t depth) {
  int32_t to = 0;
  for (; depth != 0; --depth) to = sum(to, *w++ * *x++);
  return to;
}
inline void add_one_by_one(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums) {
  sums[0] = add_row(w, x, depth);
}
inline void add_one_by_four(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums) {
  for (size_t j = 0; j < 4; ++j) sums[j] = add_row(w + j * depth, x, depth);
}
inline void add_two_by_one(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums,
                           uint32_t to_next) {
  add_one_by_one(w, x, depth, sums);
  add_one_by_one(w, x + depth, depth, sums + to_next);
}
inline void add_two_by_three(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums,
                             uint32_t to_next) {
  for (size_t j = 0; j < 3; ++j) {
    add_two_by_one(w + j * depth, x, depth, sums + j, to_next);
  }
}

inline void fold(const int32_t* bias, int32_t added, uint32_t count, int32_t* to) {
  for (; count != 0; --count, ++to) *to = sum(*bias++, product(added, *to));
}

inline void add_one_by_three(const int8_t* w, const int8_t* x, uint32_t depth, int32_t* sums,
                             int32_t* weight_sums) {
  for (size_t j = 0; j < 3; ++j) {
    add_one_by_one(w + j * depth, x, depth, sums + j);
    weight_sums[j] = sum_of_bytes(w + j * depth, depth);
  }
}

template <bool kMore>
inline void add_short_columns(const int8_t* w, const int8_t* x, uint32_t depth, uint32_t count,
                              int32_t* sums, uint32_t to_next) {
  for (; count != 0; --count, w += depth, ++sums) add_two_by_one(w, x, depth, sums, to_next);
}

#endif

}  // namespace mve
}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
