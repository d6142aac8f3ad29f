// Imports what ONNX Runtime joins into one operator: activations of a sum, sums of three.
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"
#include "planner/import/onnx/operators/steps.h"

namespace arenite::planner {
namespace {

// Adds output 0 as f of x, f being of family unary.
void add_last(OpContext& context, Op op, ValueId x, const UnaryAttributes& attributes) {
  const ValueId y = context.add_output(0, context.dtype(x), context.dims(x));
  context.add_node(op, {x}, {y}, attributes);
}

// Input 0 and, where there is one, input 1, a bias.
ValueId biased(OpContext& context) {
  const ValueId x = context.input(0);
  return context.has_input(1) ? Steps(context).binary(Op::kAdd, x, context.input(1)) : x;
}

constexpr UnaryAttributes kByErf = {0.0f, 0.0f};
constexpr UnaryAttributes kByTanh = {1.0f, 0.0f};

}  // namespace

void import_bias_gelu(OpContext& context) {
  context.expect_operands(2, 2);
  add_last(context, Op::kGelu, biased(context), kByErf);
}

void import_fast_gelu(OpContext& context) {
  context.expect_operands(1, 2);
  add_last(context, Op::kGelu, biased(context), kByTanh);
}

void import_quick_gelu(OpContext& context) {
  context.expect_operands(1, 1);
  const float alpha = context.float_attribute("alpha", 1.702f);
  add_last(context, Op::kSwish, context.input(0), {alpha, 0.0f});
}

// The first half of the channels, the last dim, times the Gelu of the second.
void import_bias_split_gelu(OpContext& context) {
  context.expect_operands(2, 2);
  Steps steps(context);
  const ValueId sum = biased(context);
  Dims dims = steps.dims(sum);
  if (dims.empty() || dims.back() % 2 != 0) {
    context.fail("expected an even last dimension, found " + dims_text(dims));
  }
  const auto last = static_cast<uint32_t>(dims.size() - 1);
  dims[last] /= 2;
  const ValueId left = steps.slice(sum, last, 0, dims[last]);
  const ValueId right = steps.slice(sum, last, dims[last], dims[last]);
  const ValueId gelu = steps.unary(Op::kGelu, right, kByErf);
  const ValueId y = context.add_output(0, context.dtype(sum), dims);
  context.add_node(Op::kMul, {left, gelu}, {y}, BinaryAttributes{});
}

// x + bias + skip.
void import_bias_add(OpContext& context) {
  context.expect_operands(3, 3);
  const ValueId sum = biased(context);
  const ValueId skip = context.input(2);
  const Dims dims = broadcast_dims(context, context.dims(sum), context.dims(skip));
  const ValueId y = context.add_output(0, context.dtype(sum), dims);
  context.add_node(Op::kAdd, {sum, skip}, {y}, BinaryAttributes{});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
