// Imports MaxUnpool over one to three spatial dimensions: indices count in the shape that the
// window says; a wanted shape adds zeros behind it, or cuts off.
#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

Dims unpooled_dims(OpContext& context, const Dims& x) {
  const std::optional<Dims> listed = context.ints_attribute("kernel_shape");
  if (!listed) context.fail_attribute("kernel_shape", "is missing");
  const size_t rank = x.size() - 2;
  const Dims kernel = attribute_numbers(context, "kernel_shape", rank, 1, 1);
  const Dims stride = attribute_numbers(context, "strides", rank, 1, 1);
  const Dims pads = attribute_numbers(context, "pads", 2 * rank, 0, 0);
  Dims dims = x;
  for (size_t i = 0; i < rank; ++i) {
    dims[2 + i] = (x[2 + i] - 1) * stride[i] + kernel[i] - pads[i] - pads[rank + i];
    if (dims[2 + i] < 0 || dims[2 + i] > INT32_MAX) {
      context.fail("spatial dimension " + std::to_string(i) + " would become " +
                   dim_text(dims[2 + i]));
    }
  }
  return dims;
}

}  // namespace

void import_max_unpool(OpContext& context) {
  context.expect_operands(2, 3);
  const ValueId x = context.input(0);
  const ValueId indices = context.input(1);
  const Dims x_dims = context.dims(x);
  if (x_dims.size() < 3 || context.dims(indices) != context.dims(x)) {
    context.fail("expected an input [N, C, ...] and indices of its dims, found " +
                 dims_text(x_dims) + " and " + dims_text(context.dims(indices)));
  }
  if (context.dtype(indices) != DType::kInt64) {
    context.fail("input 'I' is " + dtype_name(context.dtype(indices)) + ", expected int64");
  }
  const Dims dims = unpooled_dims(context, x_dims);
  const std::optional<Dims> wanted = context.constant_ints(2, "output_shape");
  if (!wanted || *wanted == dims) {
    const ValueId y = context.add_output(0, context.dtype(x), dims);
    return context.add_node(Op::kMaxUnpool, {x, indices}, {y});
  }
  if (wanted->size() != dims.size()) {
    context.fail("input 'output_shape' holds " + std::to_string(wanted->size()) +
                 " numbers, expected " + std::to_string(dims.size()));
  }
  const ValueId between = context.add_between("unpooled", context.dtype(x), dims);
  context.add_node(Op::kMaxUnpool, {x, indices}, {between});
  const ValueId y = context.add_output(0, context.dtype(x), *wanted);
  context.add_node(Op::kPad, {between}, {y}, PadAttributes{});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
