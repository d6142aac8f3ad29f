// Whether a number is a NaN; an integer never is.
#pragma once

#include <type_traits>

namespace arenite {

template <typename T>
constexpr bool is_nan(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return __builtin_isnan(value);
  } else {
    return false;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
