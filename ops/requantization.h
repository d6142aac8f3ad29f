// Checks that quantized operators share: multipliers, zero points and limits must fit the integers
// of the result's type.
#pragma once

#include <cstdint>

#include "core/contract.h"
#include "core/status.h"
#include "core/types.h"
#include "ops/attributes.h"

namespace arenite {

// Limits of shifts. Only operands can hold others; those count as the nearest limit.
inline constexpr int32_t kShiftMin = -63;
inline constexpr int32_t kShiftMax = 31;

constexpr bool is_multiplier(int32_t multiplier, int32_t shift) {
  return multiplier >= 0 && shift >= kShiftMin && shift <= kShiftMax;
}

struct IntegerRange {
  int32_t low, high;
  constexpr bool holds(int32_t value) const { return value >= low && value <= high; }
};

// The integers of a type of types::kQuantizedOrSum.
constexpr IntegerRange range_of(DType type) {
  switch (type) {
    case DType::kInt8:
      return {-128, 127};
    case DType::kUint8:
      return {0, 255};
    case DType::kInt16:
      return {-32768, 32767};
    case DType::kUint16:
      return {0, 65535};
    default:
      return {INT32_MIN, INT32_MAX};
  }
}

// Whether products of two integers of `type` less these zero points have 32 bits.
constexpr bool are_factors(DType type, const int32_t (&zero_points)[2]) {
  const IntegerRange range = type == DType::kInt16 ? IntegerRange{0, 0} : range_of(type);
  return range.holds(zero_points[0]) && range.holds(zero_points[1]);
}

// Checks what makes a result of `type`. kBadAttribute: the rounding rule is unknown, or a number is
// none of the type's.
[[gnu::noinline]] inline Status check_requantization(const Requantization& output, DType type) {
  const bool good = output.rounding <= Rounding::kFloat32 && is_one_of(output.zero_point, type) &&
                    is_one_of(output.low, type) && is_one_of(output.high, type) &&
                    output.low <= output.high;
  return good ? ok_status() : error(Code::kBadAttribute);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
