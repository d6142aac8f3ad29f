// Sums and differences of two quantized numbers, each of its own scale and zero point.
#pragma once

#include <cstdint>

#include "ops/attributes.h"
#include "portable_fallback/shared/modular.h"
#include "portable_fallback/shared/requantization.h"

namespace arenite {

struct QuantizedSum {
  static int32_t scaled(const QuantizedAddAttributes& by, uint32_t i, int32_t number) {
    const int32_t shifted = saturated_int32(int64_t{number - by.zero_points[i]} << by.left_shift);
    return requantized(shifted, by.multipliers[i], by.shifts[i], by.output.rounding);
  }
  static int32_t apply(const QuantizedAddAttributes& by, int32_t a, int32_t b) {
    const bool subtract = by.kind != SumKind::kSum;
    if (by.output.rounding == Rounding::kHalfEven || by.output.rounding == Rounding::kFloat32) {
      const int64_t first = int64_t{a - by.zero_points[0]} * by.multipliers[0];
      const int64_t second = int64_t{b - by.zero_points[1]} * by.multipliers[1];
      const int64_t sum = subtract ? first - second : first + second;
      return limited_result(scaled_down(sum, by.shifts[2], by.output.rounding), by.output);
    }
    const int32_t second = scaled(by, 1, b);
    int32_t sum = wrapped_sum(scaled(by, 0, a), subtract ? wrapped_negative(second) : second);
    if (by.kind == SumKind::kSquare) sum = wrapped_product(sum, sum);
    return finished(sum, by.multipliers[2], by.shifts[2], by.output);
  }
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
