// Imports the elementwise operators of two operands, old and new broadcasting.
#include "core/contract.h"
#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

// Before opset 7 the second operand's dims are matched with those of the first from `axis` on (by
// default with its last ones): given trailing dims of 1, that is numpy's rule.
ValueId old_second(OpContext& context, ValueId a, ValueId b) {
  const Dims a_dims = context.dims(a);
  const Dims b_dims = context.dims(b);
  context.ignore_attribute("consumed_inputs");
  const bool broadcast = context.flag_attribute("broadcast", false);
  const std::optional<int64_t> axis = context.find_int("axis");
  if (!broadcast) {
    if (a_dims != b_dims) {
      context.fail_attribute("broadcast", "is not set: expected equal shapes, found " +
                                              dims_text(a_dims) + " and " + dims_text(b_dims));
    }
    return b;
  }
  if (b_dims.size() > a_dims.size()) {
    context.fail("expected a second operand that broadcasts to " + dims_text(a_dims) + ", found " +
                 dims_text(b_dims));
  }
  Dims dims = b_dims;
  if (axis && !dims.empty()) {
    const size_t first = context.axis(*axis, a_dims.size(), "axis");
    if (first + dims.size() > a_dims.size()) {
      context.fail_attribute("axis", std::to_string(*axis) + " leaves no room in " +
                                         dims_text(a_dims) + " for " + dims_text(b_dims));
    }
    dims.resize(a_dims.size() - first, 1);
  }
  return reshaped(context, b, dims, "second");
}

// The ways in which an operator differs from arithmetic.
struct Difference {
  bool compares = false;  // the result is bool
  bool mixes = false;     // operands may differ in type; the result has the first one's
  BinaryAttributes attributes = {};
};

void add_binary(OpContext& context, Op op, const Difference& difference = {}) {
  context.expect_operands(2, 2);
  const ValueId a = context.input(0);
  ValueId b = context.input(1);
  if (context.opset() < 7) b = old_second(context, a, b);
  if (!difference.mixes && context.dtype(a) != context.dtype(b)) {
    context.fail("operands differ in type: " + dtype_name(context.dtype(a)) + " and " +
                 dtype_name(context.dtype(b)));
  }
  const Dims dims = broadcast_dims(context, context.dims(a), context.dims(b));
  const ValueId y =
      context.add_output(0, difference.compares ? DType::kBool : context.dtype(a), dims);
  context.add_node(op, {a, b}, {y}, difference.attributes);
}

}  // namespace

void import_binary(OpContext& context, Op op) { add_binary(context, op); }

void import_comparison(OpContext& context, Op op) { add_binary(context, op, {.compares = true}); }

void import_power(OpContext& context) { add_binary(context, Op::kPow, {.mixes = true}); }

void import_bit_shift(OpContext& context) {
  const std::string direction = context.string_attribute("direction", "");
  if (direction != "LEFT" && direction != "RIGHT") {
    context.fail_attribute("direction", quote(direction) + " is not LEFT or RIGHT");
  }
  add_binary(context, direction == "LEFT" ? Op::kShiftLeft : Op::kShiftRight);
}

void import_mod(OpContext& context) {
  const bool truncated = context.flag_attribute("fmod", false);
  const DType type = context.dtype(context.input(0));
  if (!truncated && has(types::kFloatOrDouble, type)) {
    context.fail_attribute("fmod", "is 0: expected 1 for " + dtype_name(type));
  }
  add_binary(context, Op::kMod, {.attributes = {.activation = {}, .truncated = truncated}});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
