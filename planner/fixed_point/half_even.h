// The numbers with which integer steps compute as ONNX defines quantized operators: the exact
// result, rounded once, halves to even. Beside TensorFlow Lite's (planner/fixed_point/tflite.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/fixed_point/scaled.h"

namespace arenite::planner::half_even {

// Nothing where factors are too far apart for the arithmetic.
std::optional<QuantizedAddAttributes> add_attributes(const Wanted& wanted, const Scaled& a,
                                                     const Scaled& b, SumKind kind);
// `count`: how many elements each result is the mean of; 0: it is their sum.
QuantizedSumAttributes sum_attributes(const Wanted& wanted, const Scaled& x, uint32_t axes,
                                      uint32_t count);

// Numerators and summands of a softmax over rows of `count`, for differences of 0 to 255 (operand 1
// of quantized_softmax). LiteRT's halves go up.
enum class Halves : uint8_t { kEven, kUp };
std::vector<uint32_t> softmax_table(float x, float y, uint64_t count, Halves halves);

}  // namespace arenite::planner::half_even
// SPDX-License-Identifier: Apache-2.0
