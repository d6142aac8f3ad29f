// Adds neighbors of 8 bits of two scales, so many at once; compiled for each instruction set. Of
// rows with gaps, and of what is left of a row, one after the other.
#pragma once

#include "portable_fallback/fast/integer_sums.h"
#include "portable_fallback/fast/integer_sums_once.h"

namespace arenite {
namespace {

// sum(a, b, y): the results of kDspSumsAtOnce numbers of type T. Returns how many elements are
// done.
template <typename T, typename Row, typename Sum>
uint32_t add_neighbors(const Row& row, const Sum& sum) {
  if (row.steps[0] != 1 || row.steps[1] != 1 || row.y_step != 1) return 0;
  constexpr uint32_t kAtOnce = kDspSumsAtOnce;
  uint32_t done = 0;
  for (; done + kAtOnce <= row.count; done += kAtOnce) {
    T a[kAtOnce], b[kAtOnce], y[kAtOnce];
    take(a, as<T>(row.inputs[0] + done), kAtOnce);
    take(b, as<T>(row.inputs[1] + done), kAtOnce);
    sum(a, b, y);
    put(as<T>(row.y + done), static_cast<const T*>(y), kAtOnce);
  }
  return done;
}

// What is left of a row.
template <typename Row>
Row behind(const Row& row, uint32_t done) {
  Row rest = row;
  for (uint32_t i = 0; i < 2; ++i) {
    rest.inputs[i] = row.inputs[i] + static_cast<ptrdiff_t>(done) * row.steps[i];
  }
  rest.y = row.y + static_cast<ptrdiff_t>(done) * row.y_step;
  rest.count = row.count - done;
  return rest;
}

// The result of a pair of numbers.
class OncePair {
 public:
  explicit OncePair(const OnceSums& of)
      : first_(static_cast<uint32_t>(of.multipliers[0])),
        second_(static_cast<uint32_t>(of.multipliers[1])),
        added_(static_cast<uint32_t>(of.added)),
        half_(uint32_t{1} << (of.right - 1)),
        right_(of.right),
        half_even_(of.half_even),
        zero_point_(of.zero_point),
        low_(of.low),
        high_(of.high) {}

  int32_t operator()(int32_t a, int32_t b) const {
    // Each product and sum may wrap.
    const uint32_t sum = static_cast<uint32_t>(a) * first_ + static_cast<uint32_t>(b) * second_;
    const uint32_t raised = sum + added_;
    const auto quotient = static_cast<uint32_t>(static_cast<int32_t>(raised - half_) >> right_);
    const auto number = static_cast<int32_t>(raised - (half_even_ & ~quotient)) >> right_;
    return once_limited(number + zero_point_, low_, high_);
  }

 private:
  uint32_t first_, second_, added_, half_, right_, half_even_;
  int32_t zero_point_, low_, high_;
};

template <typename T>
void add_rows_once(const OnceSums& of, const OnceSumRow& row) {
  const OncePair pair(of);
  const auto sum = [=](const T* a, const T* b, T* y) {
    for (uint32_t i = 0; i < kDspSumsAtOnce; ++i) y[i] = static_cast<T>(pair(a[i], b[i]));
  };
  const OnceSumRow rest = behind(row, add_neighbors<T>(row, sum));
  Src<std::byte> a = rest.inputs[0], b = rest.inputs[1];
  Dst<std::byte> y = rest.y;
  for (uint32_t left = rest.count; left != 0; --left) {
    const T of_a = *as<T>(a);
    const T of_b = *as<T>(b);
    *as<T>(y) = static_cast<T>(pair(of_a, of_b));
    a += rest.steps[0];
    b += rest.steps[1];
    y += rest.y_step;
  }
}

inline void add_sums_once(const OnceSums& of, const OnceSumRow& row) {
  of.is_unsigned ? add_rows_once<uint8_t>(of, row) : add_rows_once<int8_t>(of, row);
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
