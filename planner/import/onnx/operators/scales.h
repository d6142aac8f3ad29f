// Scales and zero points as operators of models give them, read and checked; no nodes are made.
#pragma once

#include <optional>
#include <vector>

#include "planner/import/model/op_context.h"

namespace arenite::planner {

// The indices of x that have a scale of their own: each index along `axis`, or each block of
// `block` indices (0: one index) along it.
struct ScaleAxis {
  std::optional<int64_t> axis;  // nothing: one scale for all
  int64_t block = 0;
};

// A scale and its zero point, and how they broadcast to what they belong to.
struct Scaling {
  ValueId scale = kNoValue;       // float32 or a 16-bit float
  ValueId zero_point = kNoValue;  // kNoValue: 0
  OnnxType type = {};  // of the integers, where the zero point is there or a caller sets it

  Dims dims;  // to be reshaped to; none: one number for all
  // Not 0: the operands are repeated for each of `block` indices along `axis`, which is
  // `axis_length` long.
  int64_t block = 0;
  uint32_t axis = 0;
  Dim axis_length;
};

// Reads scale and zero point, operands `scale` and `zero_point` (which may be left out) of integers
// with the dims `x`. Refuses constant scales that are not positive and finite, and numbers of them
// that do not agree.
Scaling read_scaling(OpContext& context, const Dims& x, const ScaleAxis& axis, size_t scale,
                     size_t zero_point);

// Output 0's: operand `scale` and the zero point behind it; of type `otherwise` without one.
Scaling read_output_scaling(OpContext& context, size_t scale, DType otherwise);

// Integers and the scaling by which they stand for numbers.
struct ScaledIntegers {
  ValueId integers = kNoValue;
  Scaling scaling;
};

// Operands, by position: integers, their scale and their zero point.
struct ScaledInput {
  size_t integers, scale, zero_point;
};

// Refuses a zero point of another type than the integers.
ScaledIntegers read_scaled(OpContext& context, const ScaledInput& input,
                           const ScaleAxis& axis = {});

// Operand i: int32 sums of products of scaled operands, as biases are; one, or one for each scale
// of the weights.
ValueId read_sums(OpContext& context, size_t i, const Scaling& weights);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
