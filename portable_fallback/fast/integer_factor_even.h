// Multiplies products of two differences of bytes by a factor as kHalfEven rounds: once, halves to
// even.
#pragma once

#include <cstdint>

namespace arenite {

// multiplier * 2^(raise - 32 - right); a product that is raised has 32 bits.
struct EvenFactor {
  int32_t multiplier;
  uint32_t raise;
  uint32_t right;  // 1 to 31
};

namespace {

// The upper word of what is divided, to which half of the divisor is added, is shifted; where no
// rest is left, the product was halfway between two numbers.
class EvenRounded {
 public:
  explicit EvenRounded(const EvenFactor& factor)
      : multiplier_(factor.multiplier),
        half_(static_cast<int32_t>(uint32_t{1} << (factor.right - 1))),
        raise_(factor.raise),
        right_(factor.right) {}

  int32_t operator()(int32_t product) const {
    const auto raised = static_cast<int32_t>(static_cast<uint32_t>(product) << raise_);
    const int64_t wide = int64_t{raised} * multiplier_;
    const int32_t upper = static_cast<int32_t>(wide >> 32) + half_;
    const int32_t quotient = upper >> right_;
    if (__builtin_expect(static_cast<uint32_t>(wide) == 0, 0) &&
        static_cast<uint32_t>(upper) << (32 - right_) == 0) {
      return quotient & ~1;
    }
    return quotient;
  }

 private:
  int32_t multiplier_, half_;
  uint32_t raise_, right_;
};

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
