// Exchanges rows and columns of blocks of elements in the registers of SSE2 or NEON: each of the
// log2(n) stages puts elements of the first n / 2 vectors between those of the others.
//
// The stages of a block of four by four:
//
//     a0 a1 a2 a3      a0 c0 a1 c1      a0 b0 c0 d0
//     b0 b1 b2 b3  ->  a2 c2 a3 c3  ->  a1 b1 c1 d1
//     c0 c1 c2 c3      b0 d0 b1 d1      a2 b2 c2 d2
//     d0 d1 d2 d3      b2 d2 b3 d3      a3 b3 c3 d3
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace arenite {
// Each kernel's file has its own: one that two files shared would be compiled for the machine of
// one of them.
namespace {

// A block of kBytes / sizeof(T) rows, each of as many elements T: what a vector of kBytes has.
template <typename T, uint32_t kBytes>
struct TransposeBlock {
  static constexpr uint32_t kSize = kBytes / sizeof(T);
  typedef T Row __attribute__((vector_size(kBytes)));

  // A vector of a and one of b, whose elements become pairs.
  static void interleave(const std::byte* a, const std::byte* b, std::byte* pairs) {
    Row first, second;
    std::memcpy(&first, a, kBytes);
    std::memcpy(&second, b, kBytes);
    store(pairs, in_turn<0>(first, second, kAll));
    store(pairs + kBytes, in_turn<1>(first, second, kAll));
  }

  // Two vectors of pairs, whose first elements become a vector of a, the second ones one of b.
  static void separate(const std::byte* pairs, std::byte* a, std::byte* b) {
    Row first, second;
    std::memcpy(&first, pairs, kBytes);
    std::memcpy(&second, pairs + kBytes, kBytes);
    store(a, each_second<0>(first, second, kAll));
    store(b, each_second<1>(first, second, kAll));
  }

  // A block; strides in bytes.
  static void move(const std::byte* x, ptrdiff_t x_row, std::byte* y, ptrdiff_t y_row) {
    Row rows[kSize], next[kSize];
#pragma GCC unroll 16
    for (uint32_t i = 0; i < kSize; ++i) std::memcpy(&rows[i], x + i * x_row, kBytes);
#pragma GCC unroll 4
    for (uint32_t stage = 1; stage < kSize; stage *= 2) {
#pragma GCC unroll 16
      for (uint32_t i = 0; i < kSize / 2; ++i) {
        next[2 * i] = in_turn<0>(rows[i], rows[i + kSize / 2], kAll);
        next[2 * i + 1] = in_turn<1>(rows[i], rows[i + kSize / 2], kAll);
      }
#pragma GCC unroll 16
      for (uint32_t i = 0; i < kSize; ++i) rows[i] = next[i];
    }
#pragma GCC unroll 16
    for (uint32_t i = 0; i < kSize; ++i) store(y + i * y_row, rows[i]);
  }

 private:
  static constexpr std::make_integer_sequence<uint32_t, kSize> kAll = {};

  static void store(std::byte* to, Row row) { std::memcpy(to, &row, kBytes); }

  // kHalf 0: the first halves of a and b, element by element in turn; 1: the second ones.
  template <uint32_t kHalf, uint32_t... kAt>
  [[gnu::always_inline]] static Row in_turn(Row a, Row b, std::integer_sequence<uint32_t, kAt...>) {
    return __builtin_shufflevector(a, b, (kHalf * kSize / 2 + kAt / 2 + kAt % 2 * kSize)...);
  }

  // The elements of a and b whose number is kFirst more than an even one.
  template <uint32_t kFirst, uint32_t... kAt>
  [[gnu::always_inline]] static Row each_second(Row a, Row b,
                                                std::integer_sequence<uint32_t, kAt...>) {
    return __builtin_shufflevector(a, b, (2 * kAt + kFirst)...);
  }
};

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
