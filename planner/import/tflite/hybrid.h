// Products of float activations with integer weights, as LiteRT computes them.
#pragma once

#include "planner/import/tflite/operators.h"

namespace arenite::planner::tflite {

// Whether operand `x` is float32, and operand `weights` int8 without zero points.
bool is_hybrid(const Context& context, size_t x, size_t weights);

// x [N, H, W, C], the integers of the weights [O, C / groups, KH, KW], the attributes of ONNX's
// Conv, bias operand 2: y [N, O, OH, OW] without an activation.
ValueId hybrid_conv(Context& context, ValueId x, ValueId weights, Attributes attributes);

// x [M, K], the integers of the weights [K, N], bias operand 2: y [M, N] without an activation.
ValueId hybrid_matmul(Context& context, ValueId x, ValueId weights);

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
