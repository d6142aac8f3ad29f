// Integer arithmetic that wraps, as all integer operators do.
#pragma once

#include <cstdint>
#include <type_traits>

namespace arenite {

// Unsigned arithmetic wide enough not to be promoted to int: wraps, and never traps.
template <typename T>
using Modular = std::conditional_t<sizeof(T) <= sizeof(uint32_t), uint32_t, uint64_t>;

// -x; the lowest integer has no positive counterpart: it stays.
template <typename T>
constexpr T wrapped_negative(T x) {
  return static_cast<T>(Modular<T>{0} - static_cast<Modular<T>>(x));
}

// Floats are taken too, and do not wrap.
template <typename T>
constexpr T wrapped_sum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a + b;
  } else {
    return static_cast<T>(static_cast<Modular<T>>(a) + static_cast<Modular<T>>(b));
  }
}

template <typename T>
constexpr T wrapped_product(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a * b;
  } else {
    return static_cast<T>(static_cast<Modular<T>>(a) * static_cast<Modular<T>>(b));
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
