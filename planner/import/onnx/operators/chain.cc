// Imports Sum, Mean, Min and Max: a chain of operators of two operands, in the order of the inputs.
#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"
#include "planner/import/onnx/operators/steps.h"

namespace arenite::planner {

namespace {

// The dims of a next link; refuses operands of two types.
Dims link_dims(const OpContext& context, ValueId total, ValueId next) {
  if (context.dtype(next) != context.dtype(total)) {
    context.fail("operands differ in type: " + dtype_name(context.dtype(total)) + " and " +
                 dtype_name(context.dtype(next)));
  }
  return broadcast_dims(context, context.dims(total), context.dims(next));
}

size_t count_operands(OpContext& context) {
  const size_t count = context.input_count();
  if (count == 0) context.fail("has no inputs");
  context.expect_operands(count, count);
  if (context.opset() < 6) context.ignore_attribute("consumed_inputs");
  return count;
}

}  // namespace

void import_chain(OpContext& context, Op op) {
  const size_t count = count_operands(context);
  ValueId total = context.input(0);
  if (count == 1) return copy_to_output(context, 0, total);
  for (size_t i = 1; i < count; ++i) {
    const ValueId next = context.input(i);
    const Dims dims = link_dims(context, total, next);
    const DType type = context.dtype(total);
    const ValueId y = i + 1 == count ? context.add_output(0, type, dims)
                                     : context.add_between("part", type, dims);
    context.add_node(op, {total, next}, {y}, BinaryAttributes{});
    total = y;
  }
}

void import_mean(OpContext& context) {
  const size_t count = count_operands(context);
  Steps steps(context);
  ValueId total = context.input(0);
  if (count == 1) return copy_to_output(context, 0, total);
  for (size_t i = 1; i < count; ++i) {
    link_dims(context, total, context.input(i));
    total = steps.binary(Op::kAdd, total, context.input(i));
  }
  const ValueId divisor = steps.scalar(context.dtype(total), static_cast<double>(count));
  const ValueId y = context.add_output(0, context.dtype(total), steps.dims(total));
  context.add_node(Op::kDiv, {total, divisor}, {y}, BinaryAttributes{});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
