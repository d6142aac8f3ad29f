// Imports TensorFlow Lite's reductions, and what is made of them.
#include <algorithm>
#include <string_view>

#include "planner/graph/names.h"
#include "planner/import/tflite/operators.h"

namespace arenite::planner::tflite {
namespace {

namespace schema = tflite_schema;

// The axes that operand `i` lists, each once.
std::vector<int64_t> axes_of(Context& context, size_t i, int64_t rank) {
  std::vector<int64_t> axes;
  for (const int64_t entry : context.integers(i, "axis")) {
    const int64_t axis = context.axis(entry, rank, "axis");
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
  }
  return axes;
}

}  // namespace

void reduce(Context& context, const char* op_type) {
  context.expect_operands(2, 2);
  const bool picks =
      std::string_view(op_type) == "ReduceMax" || std::string_view(op_type) == "ReduceMin";
  const ValueId x = picks ? context.stored_as_output(0) : context.input(0);
  const std::vector<int64_t> axes = axes_of(context, 1, context.rank(x));
  if (axes.empty()) return context.result(0, context.add("Identity", {x}));
  const bool keep = context.options<schema::ReducerOptions>().keep_dims();
  context.result(0, context.add(op_type, {x, context.list(axes)},
                                Attributes().with("keepdims", int64_t{keep})));
}

void arg(Context& context, const char* op_type) {
  context.expect_operands(2, 2);
  const ValueId x = context.stored(0);
  const int64_t axis = context.axis(context.integer(1, "axis"), context.rank(x), "axis");
  const ValueId index =
      context.add(op_type, {x}, Attributes().with("axis", axis).with("keepdims", int64_t{0}));
  context.result(
      0, context.converted(index, context.output_tensor(0).dtype == DType::kInt32 ? DType::kInt32
                                                                                  : DType::kInt64));
}

void softmax(Context& context) {
  context.expect_operands(1, 1);
  ValueId x = context.input(0);
  const float beta = context.options<schema::SoftmaxOptions>().beta();
  if (beta != 1) x = context.add("Mul", {x, context.scalar(beta)});
  context.result(0, context.add("Softmax", {x}, Attributes().with("axis", int64_t{-1})));
}

void log_softmax(Context& context) {
  context.expect_operands(1, 1);
  context.result(
      0, context.add("LogSoftmax", {context.input(0)}, Attributes().with("axis", int64_t{-1})));
}

// Divides by the root of the sum of the last axis' squares; the root is at least 1e-6.
void l2_normalization(Context& context) {
  context.expect_operands(1, 1);
  constexpr float kLeast = 1e-6f;
  const ValueId x = context.input(0);
  const ValueId length =
      context.add("ReduceL2", {x, context.list({-1})}, Attributes().with("keepdims", int64_t{1}));
  const ValueId divisor = context.add("Max", {length, context.scalar(kLeast)});
  context.result(context.add("Div", {x, divisor}), fused<schema::L2NormOptions>(context));
}

void cumsum(Context& context) {
  context.expect_operands(2, 2);
  const auto& options = context.options<schema::CumsumOptions>();
  const ValueId x = context.input(0);
  const int64_t axis = context.axis(context.integer(1, "axis"), context.rank(x), "axis");
  const ValueId at = context.constant(DType::kInt64, {}, std::vector<int64_t>{axis});
  context.result(0, context.add("CumSum", {x, at},
                                Attributes()
                                    .with("exclusive", int64_t{options.exclusive()})
                                    .with("reverse", int64_t{options.reverse()})));
}

void top_k(Context& context) {
  context.expect_operands(2, 2, 2);
  const ValueId x = context.stored(0);
  const std::vector<ValueId> top =
      context.add("TopK", {x, context.list({context.integer(1, "k")})}, Attributes(), 2);
  context.result(0, top[0]);
  context.result(1, context.converted(top[1], context.output_tensor(1).dtype == DType::kInt64
                                                  ? DType::kInt64
                                                  : DType::kInt32));
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
