// The nodes between integers and the numbers that they stand for, by scalings that were read.
#pragma once

#include "planner/import/onnx/operators/scales.h"

namespace arenite::planner {

// The numbers that integers stand for, float32.
ValueId dequantized(OpContext& context, const ScaledIntegers& x);
// The factors of a sum of products: the scalings of both operands, and a number.
struct SumScaling {
  const Scaling& x;
  const Scaling& weights;
  float alpha = 1;
};
// The numbers that int32 sums of products stand for, 0 being 0.
ValueId dequantized_sums(OpContext& context, ValueId sums, const SumScaling& scaling);
// Output 0: the numbers of integers as floats of `type`.
void dequantize_to_output(OpContext& context, const ScaledIntegers& x, DType type);
// Output 0: the integers for the numbers x, of 4 bits where the scaling's type is.
void quantize_to_output(OpContext& context, ValueId x, const Scaling& scaling);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
