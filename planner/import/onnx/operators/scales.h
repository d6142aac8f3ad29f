// Scales and zero points as operators of models give them: checked, and in dims that broadcast to
// those of what they belong to.
#pragma once

#include <optional>
#include <vector>

#include "planner/import/model/op_context.h"

namespace arenite::planner {

// Operands of quantize and dequantize. The scale is float32; kNoValue: a zero point of 0.
struct ScaleOperands {
  ValueId scale = kNoValue, zero_point = kNoValue;
  OnnxType type = {};  // of the integers, where the zero point is there or a caller says it
};

// The indices of x that have a scale of their own: each index along `axis`, or each block of
// `block` indices (0: one index) along it.
struct ScaleAxis {
  std::optional<int64_t> axis;  // nothing: one scale for all
  int64_t block = 0;
};

// Reads scale and zero point, operands `scale` and `zero_point` (which may be left out) of integers
// with the dims `x`. Refuses constant scales that are not positive and finite, and numbers of them
// that do not agree.
ScaleOperands read_scale(OpContext& context, const Dims& x, const ScaleAxis& axis, size_t scale,
                         size_t zero_point);

// Makes y what the integers x stand for, float32; and the integers for the numbers x, of 4 bits
// where `type` is.
void add_dequantize(OpContext& context, ValueId x, const ScaleOperands& operands, ValueId y);
void add_quantize(OpContext& context, ValueId x, const ScaleOperands& operands, ValueId y);

// Operands, by position: integers, their scale and their zero point.
struct ScaledInput {
  size_t integers, scale, zero_point;
};

// The numbers that they stand for.
ValueId dequantized(OpContext& context, const ScaledInput& input, const ScaleAxis& axis = {});
// Output 0: x by operand `scale` and the zero point behind it, of type `otherwise` without one.
void add_quantized_output(OpContext& context, ValueId x, size_t scale, DType otherwise);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
