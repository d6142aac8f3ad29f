// Imports Gemm: alpha * A * B + beta * C becomes one matmul over transposed views; and FusedGemm of
// com.microsoft, which ends in an activation.
#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/activation.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

ValueId transposed(OpContext& context, ValueId x, const char* suffix) {
  const Dims dims = context.dims(x);
  const ValueId y = context.add_between(suffix, context.dtype(x), {dims[1], dims[0]});
  context.add_node(Op::kTranspose, {x}, {y}, std::vector<uint32_t>{1, 0});
  return y;
}

// Adds alpha * A * B + beta * C, as output 0 where it is the `last` step.
ValueId add_gemm(OpContext& context, bool last) {
  ValueId a = context.input(0);
  ValueId b = context.input(1);
  for (const ValueId operand : {a, b}) {
    if (context.dims(operand).size() != 2) {
      context.fail("expected matrices, found " + dims_text(context.dims(operand)));
    }
  }
  const float alpha = context.float_attribute("alpha", 1.0f);
  const float beta = context.float_attribute("beta", 1.0f);
  const bool transpose_a = context.int_attribute("transA", 0) != 0;
  const bool transpose_b = context.int_attribute("transB", 0) != 0;
  if (transpose_a) a = transposed(context, a, "a");
  if (transpose_b) b = transposed(context, b, "b");
  const Dims a_dims = context.dims(a);
  const Dims b_dims = context.dims(b);
  if (a_dims[1] != b_dims[0]) {
    context.fail("inner dimensions differ: " + dims_text(a_dims) + " and " + dims_text(b_dims) +
                 " after transA and transB");
  }
  const Dims dims = {a_dims[0], b_dims[1]};
  std::vector<ValueId> inputs = {a, b};
  const bool may_broadcast = context.opset() >= 7 || context.flag_attribute("broadcast", false);
  if (context.has_input(2)) {
    const Dims c = context.dims(context.input(2));
    if (c != dims && (!may_broadcast || c.size() > 2 || broadcast_dims(context, dims, c) != dims)) {
      context.fail("expected C to " + std::string(may_broadcast ? "broadcast to " : "have dims ") +
                   dims_text(dims) + ", found " + dims_text(c));
    }
    inputs.push_back(context.input(2));
  }
  const DType type = context.dtype(a);
  const ValueId y =
      last ? context.add_output(0, type, dims) : context.add_between("gemm", type, dims);
  context.add_node(Op::kMatMul, inputs, {y}, MatMulAttributes{alpha, beta, {}});
  return y;
}

}  // namespace

void import_gemm(OpContext& context) {
  context.expect_operands(context.opset() < 11 ? 3 : 2, 3);
  add_gemm(context, true);
}

void import_fused_gemm(OpContext& context) {
  context.expect_operands(2, 3);
  ActivationNames names;
  names.parameters[0] = "activation_alpha";
  names.parameters[1] = "activation_beta";
  context.ignore_attribute("activation_gamma");
  add_activation(context, add_gemm(context, false), names);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
