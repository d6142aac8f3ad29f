// Imports Softmax, LogSoftmax and Hardmax: over one axis, or before opset 13 over all axes from one
// on.

#include "ops/attributes.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"
#include "planner/import/onnx/operators/steps.h"

namespace arenite::planner {
namespace {

// The axes that are looked at together, a bit each.
uint32_t read_axes(OpContext& context, size_t rank) {
  const bool one_axis = context.opset() >= 13;
  const int64_t given = context.int_attribute("axis", one_axis ? -1 : 1);
  // Before opset 13 nothing but the batch may be left: an axis behind the last takes none.
  if (!one_axis && given == static_cast<int64_t>(rank)) return 0;
  const uint32_t axis = context.axis(given, rank, "axis");
  uint32_t axes = 1u << axis;
  if (!one_axis) {
    for (size_t i = axis; i < rank; ++i) axes |= 1u << i;
  }
  return axes;
}

}  // namespace

void import_softmax(OpContext& context, Op op) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  const Dims dims = context.dims(x);
  const uint32_t axes = read_axes(context, dims.size());
  const ValueId y = context.add_output(0, context.dtype(x), dims);
  context.add_node(op, {x}, {y}, SoftmaxAttributes{axes});
}

// 1 at the first of the greatest elements of a row, else 0: where an element's place is theirs.
void import_hardmax(OpContext& context) {
  context.expect_operands(1, 1);
  const ValueId x = context.input(0);
  Steps steps(context);
  const Dims dims = steps.dims(x);
  const uint32_t axes = read_axes(context, dims.size());
  if (context.value(x).elements() == 0) return copy_to_output(context, 0, x);
  Dims kept = dims, places = dims;
  for (size_t i = 0; i < dims.size(); ++i) ((axes >> i & 1u) != 0 ? kept : places)[i] = 1;
  const ValueId best = context.add_between("best", DType::kInt64, kept);
  context.add_node(Op::kArgMax, {x}, {best}, ArgAttributes{axes, 0});
  // GPUs compute with int32.
  const ValueId numbers = steps.cast(steps.counting(places), DType::kInt32);
  const ValueId is_best = steps.compare(Op::kEqual, steps.cast(best, DType::kInt32), numbers);
  const ValueId y = context.add_output(0, context.dtype(x), dims);
  context.add_node(Op::kCast, {is_best}, {y});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
