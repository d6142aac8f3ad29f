// Imports Dropout as it is in inference: nothing dropped, a mask of all true.
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

// Whether the node would drop elements at random.
bool drops(OpContext& context) {
  if (context.opset() < 12) {
    context.float_attribute("ratio", 0.5f);
    // Models that are no longer trained often leave is_test out.
    if (context.opset() < 7) context.ignore_attribute("is_test");
    if (context.opset() < 6) context.ignore_attribute("consumed_inputs");
    return false;
  }
  context.ignore_attribute("seed");
  if (!context.has_input(2)) return false;
  const ValueId training = context.input(2);
  if (!context.is_constant(training) || context.value(training).elements() != 1 ||
      context.dtype(training) != DType::kBool) {
    context.unsupported("input 'training_mode' must be one constant bool", "an initializer");
  }
  if (context.elements<uint8_t>(training)[0] == 0) return false;
  if (!context.has_input(1)) return true;
  const ValueId ratio = context.input(1);
  if (!context.is_constant(ratio) || context.value(ratio).elements() != 1) return true;
  // A ratio of 0 has no bit set in any float type.
  for (const uint8_t byte : context.elements<uint8_t>(ratio)) {
    if (byte != 0) return true;
  }
  return false;
}

// All elements 1: of bool, or before opset 10 of the data's type.
void add_mask(OpContext& context, ValueId x) {
  const DType type = context.opset() < 10 ? context.dtype(x) : DType::kBool;
  const Dims dims = context.dims(x);
  const ValueId mask = context.add_output(1, type, dims);
  context.expect_room({context.value(mask).dense_bytes()});
  const int64_t count = baked(product(dims), "a constant mask");
  std::vector<std::byte> bytes(static_cast<size_t>(count), std::byte{1});
  if (type == DType::kBool) {
    context.count_constant(mask);
    context.set_constant(mask, std::move(bytes));
    return;
  }
  const ValueId ones = context.add_constant("ones", DType::kBool, dims, std::move(bytes));
  context.add_node(Op::kCast, {ones}, {mask});
}

}  // namespace

void import_dropout(OpContext& context) {
  context.expect_operands(1, context.opset() < 12 ? 1 : 3, 2);
  if (drops(context)) {
    context.unsupported("input 'training_mode' is true: random dropout is not supported",
                        "export the model for inference");
  }
  const ValueId x = context.input(0);
  copy_to_output(context, 0, x);
  if (context.wants_output(1)) add_mask(context, x);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
