// The special cases of x^y, which are the same in every precision.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "portable_fallback/shared/is_nan.h"

namespace arenite {

// As in IEEE 754's pow; `whole` and `odd` say it of y. of_positive(a) is a^y for a finite a above 0
// and a finite y.
template <typename T, typename F>
T power_by_cases(T x, T y, bool whole, bool odd, F of_positive) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  constexpr T kInfinite = std::numeric_limits<T>::infinity();
  // The NaN of results: machines disagree about a NaN's sign.
  constexpr T kNone = std::numeric_limits<T>::quiet_NaN();
  if (y == T{0} || x == T{1}) return T{1};
  if (is_nan(x) || is_nan(y)) return kNone;
  // The sign bit, so that -0 counts.
  const bool negative = std::bit_cast<Bits>(x) >> (8 * sizeof(T) - 1) != 0;
  const T a = negative ? -x : x;
  if (y == kInfinite || y == -kInfinite) {
    if (a == T{1}) return T{1};
    return (a > T{1}) == (y > T{0}) ? kInfinite : T{0};
  }
  T result{0};
  if (a == T{0} || a == kInfinite) {
    result = (a == T{0}) == (y > T{0}) ? T{0} : kInfinite;
  } else {
    if (negative && !whole) return kNone;
    result = of_positive(a);
  }
  return negative && whole && odd ? -result : result;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
