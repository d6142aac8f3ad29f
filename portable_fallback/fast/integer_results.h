// What kernels of integer products are given to make results of 8 bits of their sums.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenite {

struct IntegerResults {
  // Of each output, or with a step of 0 one for all.
  const int32_t* bias;
  const int32_t* multipliers;
  const int8_t* shifts;
  size_t bias_step, factor_step;  // elements; multipliers and shifts have the same
  int32_t zero_point, low, high;
  // Results are rounded as kTfliteDouble; the sums of an output whose bias is below
  // `small_bias_end` in magnitude are below 2^30.
  bool rounds_twice;
  uint32_t small_bias_end;
  uint32_t rounding;
  // The result of a sum of any other rounding, or of a factor of 1/2 and more: kernels see no such
  // code.
  int32_t (*finish)(const IntegerResults& results, int32_t sum, int32_t multiplier, int32_t shift);
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
