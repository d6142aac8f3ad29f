// Describes rows of integers of 8 or 16 bits, of which those below zero are multiplied by slopes,
// to kernels.
#pragma once

#include "portable_fallback/fast/integer_factor_even.h"
#include "portable_fallback/fast/integer_pairs.h"

namespace arenite {

// x less its zero point: of 0 and more times a factor of index 0, below times the slope less its
// zero point and a factor of index 1; plus y's zero point, within low and high.
struct IntegerSlopes {
  int32_t zero_points[2];
  bool to_even;            // rounded once, halves to even: factors are those of `even`
  FactorNumbers twice[2];  // rounded as kTfliteDouble
  EvenFactor even[2];
  int32_t zero_point, low, high;
  bool is_unsigned;  // of 8 bits: uint8, else int8
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
