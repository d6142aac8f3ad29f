// Multipliers of integer steps by the rule that a quantize node names: TensorFlow Lite's or ONNX's.
// The one place that knows both.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "planner/fixed_point/half_even.h"
#include "planner/fixed_point/tflite.h"

namespace arenite::planner::quantize {

// The multiplier of sums of products of integers with these scales; `is_matrix`: the product is one
// of matrices whose right side has one scale.
Multiplier product_multiplier(const Wanted& wanted, float x, float weights, bool is_matrix);

// Nothing where the arithmetic has no room for the scales.
std::optional<QuantizedAddAttributes> add_attributes(const Wanted& wanted, const Scaled& a,
                                                     const Scaled& b, SumKind kind);
QuantizedMulAttributes mul_attributes(const Wanted& wanted, const Scaled& a, const Scaled& b);
QuantizedSumAttributes sum_attributes(const Wanted& wanted, const Scaled& x, uint32_t axes,
                                      uint32_t count);

// The integers of results, given as numbers for each of the 256 integers of x (8 bits) from the
// least on, that `op` with `attributes` makes; kInvalid (no operator): of x itself, clipped.
using Table = std::array<int32_t, 256>;
struct FunctionOfOne {
  Op op{};  // no operator: none, or several; reciprocal: of a root
  bool is_none = false;
  float alpha = 0;  // of operators that have one
  std::array<float, 256> numbers{};
};
Table function_table(const Wanted& wanted, const Scaled& x, const FunctionOfOne& function);

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0
