// Multiplies sums of any size by a factor as kTfliteDouble rounds: twice, halves of the product up,
// halves of the quotient away from zero.
#pragma once

#include <cstdint>

#include "portable_fallback/fast/dsp.h"

namespace arenite {

// multiplier * 2^(shift - 31); the multiplier is not negative.
struct FactorNumbers {
  int32_t multiplier, shift;
};

namespace {

inline int32_t limited_number(int32_t number, int32_t low, int32_t high) {
  const int32_t raised = number < low ? low : number;
  return raised > high ? high : raised;
}

// A sum in [-end, end) is shifted by `left` and doubled within 32 bits, and its product is below
// 2^30, so that half of the divisor can be added. Others take 64 bits.
class TwiceRounded {
 public:
  explicit TwiceRounded(const FactorNumbers& factor)
      : multiplier_(factor.multiplier),
        left_(factor.shift > 0 ? static_cast<uint32_t>(factor.shift) : 0),
        right_(factor.shift < -31 ? 32
               : factor.shift < 0 ? static_cast<uint32_t>(-factor.shift)
                                  : 0),
        end_(right_ > 31 || left_ > 30 ? 0 : uint32_t{1} << (30 - left_)),
        half_(right_ == 0 || right_ > 31 ? 0 : static_cast<int32_t>(uint32_t{1} << (right_ - 1))),
        lower_(right_ == 0 ? 0 : -1) {}

  int32_t operator()(int32_t sum) const {
    if (static_cast<uint32_t>(sum) + end_ >= 2 * end_) {
      return of_any(sum, multiplier_, left_, right_);
    }
    const auto doubled = static_cast<int32_t>(static_cast<uint32_t>(sum) << (left_ + 1));
    const int32_t product = dsp::high_product(doubled, multiplier_);
    return (product + ((product >> 31) & lower_) + half_) >> right_;
  }

 private:
  // By values, so that an object lies in registers.
  [[gnu::noinline]] static int32_t of_any(int32_t sum, int32_t multiplier, uint32_t left,
                                          uint32_t right) {
    auto shifted = static_cast<int32_t>(static_cast<uint32_t>(sum) << left);
    if (shifted >> left != sum) shifted = sum < 0 ? INT32_MIN : INT32_MAX;
    const auto product =
        static_cast<int32_t>((int64_t{shifted} * multiplier + (int64_t{1} << 30)) >> 31);
    if (right > 31) return 0;  // less than half
    const uint32_t mask = (1u << right) - 1;
    const uint32_t half = (mask >> 1) + (product < 0 ? 1u : 0u);
    return (product >> right) + ((static_cast<uint32_t>(product) & mask) > half ? 1 : 0);
  }

  int32_t multiplier_;
  uint32_t left_, right_, end_;
  int32_t half_, lower_;
};

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
