// Imports Clip: bounds as attributes, constants or run-time scalars.
#include "planner/import/onnx/operators/clip.h"

#include <cstring>
#include <limits>

#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

// Puts bound `i` (1: min, 2: max) into the attribute where it is a known float32, else leaves it an
// operand.
ValueId read_bound(OpContext& context, size_t i, DType type, float& attribute) {
  if (!context.has_input(i)) return kNoValue;
  const ValueId bound = context.input(i);
  if (context.dtype(bound) != type) {
    context.fail("bound " + std::to_string(i) + " is " + dtype_name(context.dtype(bound)) +
                 ", expected " + dtype_name(type) + " as the input");
  }
  if (context.value(bound).elements() != 1) {
    context.fail("bound " + std::to_string(i) + " has dims " + dims_text(context.dims(bound)) +
                 ", expected a scalar");
  }
  if (type == DType::kFloat32 && context.is_constant(bound)) {
    attribute = context.elements<float>(bound)[0];
    return kNoValue;
  }
  return reshaped(context, bound, {}, i == 1 ? "min" : "max");
}

}  // namespace

bool is_float(DType type) {
  return type == DType::kFloat32 || type == DType::kFloat16 || type == DType::kFloat64 ||
         type == DType::kBfloat16;
}

void import_clip(OpContext& context) {
  const bool bounds_are_inputs = context.opset() >= 11;
  context.expect_operands(1, bounds_are_inputs ? 3 : 1);
  const ValueId x = context.input(0);
  const DType type = context.dtype(x);
  ClipAttributes attributes{-std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::infinity()};
  std::vector<ValueId> inputs = {x};
  if (bounds_are_inputs) {
    const ValueId min = read_bound(context, 1, type, attributes.min);
    const ValueId max = read_bound(context, 2, type, attributes.max);
    if (min != kNoValue || max != kNoValue) inputs.push_back(min);
    if (max != kNoValue) inputs.push_back(max);
  } else {
    if (context.opset() < 6) context.ignore_attribute("consumed_inputs");
    attributes.min = context.float_attribute("min", std::numeric_limits<float>::lowest());
    attributes.max = context.float_attribute("max", std::numeric_limits<float>::max());
  }
  const ValueId y = context.add_output(0, type, context.dims(x));
  context.add_node(Op::kClip, inputs, {y}, attributes);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
