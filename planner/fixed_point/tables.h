// TensorFlow Lite's functions of one 8-bit number, as tables of all 256 results: what its reference
// kernels for microcontrollers give, bit for bit.
#pragma once

#include <array>
#include <functional>

#include "planner/fixed_point/tflite.h"

namespace arenite::planner::tflite {

// At x less the least number of its type, what y is.
using Table = std::array<int32_t, 256>;

// Any function, computed with numbers. Results are divided by y's scale by its reciprocal.
Table table_of(const Scaled& x, const Scaled& y, const std::function<float(float)>& function);

// Clips to limits of y, and what only gets another scale (by a factor of 8 bits below the point
// from uint8 to uint8, as LiteRT has it).
Table requantized_table(const Scaled& x, const Scaled& y, const Limits& limits);

// The same as LiteRT's kernels do it that join or pick parts of uint8: in float32.
Table moved_table(const Scaled& x, const Scaled& y);

// Fixed-point functions of int8; of uint8, and where y is not what these take for granted, those of
// numbers. The logistic function gives 1 / 256 and the zero point -128, the hyperbolic tangent 1 /
// 128 and 0.
Table logistic_table(const Scaled& x, const Scaled& y);
Table tanh_table(const Scaled& x, const Scaled& y);

Table hard_swish_table(const Scaled& x, const Scaled& y);
Table leaky_relu_table(const Scaled& x, const Scaled& y, float alpha);
Table abs_table(const Scaled& x, const Scaled& y);
// 1 / sqrt(x); of what is not above 0 the greatest number.
Table rsqrt_table(const Scaled& x, const Scaled& y);

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
