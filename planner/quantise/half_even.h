// The numbers with which integer steps compute as ONNX defines quantised operators: the exact
// result, rounded once, halves to even. Beside TensorFlow Lite's (planner/quantise/tflite.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/quantise/tflite.h"

namespace arenite::planner::half_even {

using tflite::Limits;
using tflite::Scaled;

// Those that a clip to [low, high] leaves of `y`; infinities are no bounds.
Limits limits_of(const Scaled& y, float low, float high);
Requantisation requantisation(const Scaled& y, const Limits& limits);

// Nothing where factors are too far apart for the arithmetic.
std::optional<QuantizedAddAttributes> add_attributes(const Scaled& a, const Scaled& b,
                                                     const Scaled& y, const Limits& limits,
                                                     bool subtract);
QuantizedMulAttributes mul_attributes(const Scaled& a, const Scaled& b, const Scaled& y,
                                      const Limits& limits);
// `count`: how many elements each result is the mean of; 0: it is their sum.
QuantizedSumAttributes sum_attributes(const Scaled& x, const Scaled& y, uint32_t axes,
                                      uint32_t count, const Limits& limits);
RequantizeAttributes requantize_attributes(const Scaled& x, const Scaled& y, const Limits& limits);

// Numerators and summands of a softmax over rows of `count`, for differences of 0 to 255 (operand 1
// of quantized_softmax).
std::vector<uint32_t> softmax_table(float x, float y, uint64_t count);

}  // namespace arenite::planner::half_even
// SPDX-License-Identifier: Apache-2.0
