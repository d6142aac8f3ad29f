// The parts of loops that multiply one number at a time: bytes become numbers of 16 bits, and the
// sums of a tile stay in registers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {
namespace {

// Writes the numbers that one place reads to the rows, `step` apart.
class Lane {
 public:
  template <typename Products>
  Lane(const Products& p, int16_t* to, size_t step)
      : is_unsigned_(p.flip != 0), added_(p.added), step_(step), to_(to) {}

  [[gnu::noinline]] void copy(Src<std::byte> x, size_t x_step, uint32_t count) {
    is_unsigned_ ? copy_as<uint8_t>(x, x_step, count, added_ - 128)
                 : copy_as<int8_t>(x, x_step, count, added_);
  }
  void fill(int32_t number, uint32_t count) {
    for (; count != 0; --count) put(number);
  }

 private:
  template <typename T>
  void copy_as(Src<std::byte> x, size_t x_step, uint32_t count, int32_t added) {
    const auto copy_one = [&]() __attribute__((always_inline)) {
      put(static_cast<T>(*x) + added);
      x += x_step;
    };
    for (; count >= 4; count -= 4) {
      copy_one();
      copy_one();
      copy_one();
      copy_one();
    }
    for (; count != 0; --count) copy_one();
  }
  void put(int32_t number) {
    *to_ = static_cast<int16_t>(number);
    to_ += step_;
  }

  const bool is_unsigned_;
  const int32_t added_;
  const size_t step_;
  int16_t* to_;
};

// Sums wrap.
inline int32_t sum_of(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

// Adds one product. Compilers would add the products of several k first, and keep sums in memory
// meanwhile: they take this for an end of what they know of a sum.
inline void add_product(int32_t a, int32_t b, int32_t& sum) {
  sum = sum_of(sum, a * b);
  asm("" : "+r"(sum));
}

// Adds the products of rows a and b to the sums [column][place] of four places.
[[gnu::noinline]] inline void add_pair(const int8_t* a, const int8_t* b, const int16_t* x,
                                       uint32_t depth, int32_t (&sums)[8]) {
  int32_t a0 = sums[0], a1 = sums[1], a2 = sums[2], a3 = sums[3];
  int32_t b0 = sums[4], b1 = sums[5], b2 = sums[6], b3 = sums[7];
  const auto add = [&](uint32_t k) __attribute__((always_inline)) {
    const int32_t of_a = a[k], of_b = b[k];
    const int16_t* const numbers = x + 4 * k;
    add_product(of_a, numbers[0], a0);
    add_product(of_b, numbers[0], b0);
    add_product(of_a, numbers[1], a1);
    add_product(of_b, numbers[1], b1);
    add_product(of_a, numbers[2], a2);
    add_product(of_b, numbers[2], b2);
    add_product(of_a, numbers[3], a3);
    add_product(of_b, numbers[3], b3);
  };
  const int16_t* const end = x + 4 * size_t{depth};
  for (; depth % 4 != 0; --depth, ++a, ++b, x += 4) add(0);
  for (; x != end; a += 4, b += 4, x += 16) {
    add(0);
    add(1);
    add(2);
    add(3);
  }
  sums[0] = a0, sums[1] = a1, sums[2] = a2, sums[3] = a3;
  sums[4] = b0, sums[5] = b1, sums[6] = b2, sums[7] = b3;
}

// The same of rows a, b, c and d and a single place.
[[gnu::noinline]] inline void add_four(const int8_t* const (&rows)[4], const int16_t* x,
                                       uint32_t depth, int32_t (&sums)[8]) {
  const int8_t *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
  int32_t of_a = sums[0], of_b = sums[1], of_c = sums[2], of_d = sums[3];
  const auto add = [&](uint32_t k) __attribute__((always_inline)) {
    const int32_t number = x[k];
    add_product(a[k], number, of_a);
    add_product(b[k], number, of_b);
    add_product(c[k], number, of_c);
    add_product(d[k], number, of_d);
  };
  const int16_t* const end = x + depth;
  for (; depth % 4 != 0; --depth, ++a, ++b, ++c, ++d, ++x) add(0);
  for (; x != end; a += 4, b += 4, c += 4, d += 4, x += 4) {
    add(0);
    add(1);
    add(2);
    add(3);
  }
  sums[0] = of_a, sums[1] = of_b, sums[2] = of_c, sums[3] = of_d;
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
