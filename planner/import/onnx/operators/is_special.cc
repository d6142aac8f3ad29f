// Imports IsNaN and IsInf, which need no operator of their own: only a NaN differs from itself.
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"
#include "planner/import/onnx/operators/steps.h"

namespace arenite::planner {

void import_is_nan(OpContext& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  Steps steps(context);
  const ValueId same = steps.compare(Op::kEqual, x, x);
  const ValueId y = context.add_output(0, DType::kBool, steps.dims(x));
  context.add_node(Op::kLogicalNot, {same}, {y}, UnaryAttributes{});
}

void import_is_inf(OpContext& context) {
  context.expect_operands(1, 1);
  const bool positive = context.flag_attribute("detect_positive", true);
  const bool negative = context.flag_attribute("detect_negative", true);
  ValueId x = context.input(0);
  Steps steps(context);
  const Dims dims = steps.dims(x);
  if (!positive && !negative) {
    const ValueId y = context.add_output(0, DType::kBool, dims);
    return context.add_node(Op::kGreater, {x, x}, {y}, BinaryAttributes{});  // of nothing true
  }
  if (positive && negative) x = steps.unary(Op::kAbs, x);
  const double infinity = positive ? __builtin_inf() : -__builtin_inf();
  const ValueId bound = steps.scalar(context.dtype(x), infinity);
  const ValueId y = context.add_output(0, DType::kBool, dims);
  context.add_node(Op::kEqual, {x, bound}, {y}, BinaryAttributes{});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
