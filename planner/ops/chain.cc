// Imports Sum, Min and Max: a chain of operators of two operands, in the order of the inputs.
#include "ops/attributes.h"
#include "planner/names.h"
#include "planner/ops/ops.h"
#include "planner/ops/shapes.h"

namespace arenite::planner {

void import_chain(OpContext& context, Op op) {
  const size_t count = context.input_count();
  if (count == 0) context.fail("has no inputs");
  context.expect_operands(count, count);
  if (context.opset() < 6) context.ignore_attribute("consumed_inputs");
  ValueId total = context.input(0);
  if (count == 1) return copy_to_output(context, 0, total);
  for (size_t i = 1; i < count; ++i) {
    const ValueId next = context.input(i);
    const std::vector<int64_t> dims =
        broadcast_dims(context, context.dims(total), context.dims(next));
    const DType type = context.dtype(total);
    if (context.dtype(next) != type) {
      context.fail("operands differ in type: " + dtype_name(type) + " and " +
                   dtype_name(context.dtype(next)));
    }
    const ValueId y = i + 1 == count ? context.add_output(0, type, dims)
                                     : context.add_between("part", type, dims);
    context.add_node(op, {total, next}, {y}, BinaryAttributes{});
    total = y;
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
