// Looks the name up in a table, reads the parameters and adds a node after the result.
#include "planner/import/onnx/operators/activation.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();

// Clip's attributes are two floats as those of family unary are.
struct Row {
  const char* name;
  Op op;
  float otherwise[2];
};
constexpr Row kRows[] = {
    {"Clip", Op::kClip, {-kInfinite, kInfinite}},
    {"Elu", Op::kElu, {1.0f, 0}},
    {"HardSigmoid", Op::kHardSigmoid, {0.2f, 0.5f}},
    {"LeakyRelu", Op::kLeakyRelu, {0.01f, 0}},
    {"Relu", Op::kClip, {0, kInfinite}},
    {"Selu", Op::kSelu, {1.67326324f, 1.05070102f}},
    {"Sigmoid", Op::kSigmoid, {0, 0}},
    {"Softplus", Op::kSoftplus, {0, 0}},
    {"Softsign", Op::kSoftsign, {0, 0}},
    {"Tanh", Op::kTanh, {0, 0}},
    {"ThresholdedRelu", Op::kThresholdedRelu, {1.0f, 0}},
};

}  // namespace

void add_activation(OpContext& context, ValueId x, const ActivationNames& names) {
  const std::string name = context.string_attribute("activation", "");
  if (name.empty()) return copy_to_output(context, 0, x);
  const Row* row = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const Row& r) { return name == r.name; });
  if (row == std::end(kRows)) {
    context.unsupported_attribute("activation", quote(name) + " is not supported",
                                  "it as an operator behind");
  }
  float numbers[2] = {row->otherwise[0], row->otherwise[1]};
  if (names.list != nullptr) {
    const ModelAttribute* list = context.find_attribute(names.list);
    const size_t count = list == nullptr ? 0 : std::min<size_t>(list->floats.size(), 2);
    for (size_t i = 0; i < count; ++i) numbers[i] = list->floats[i];
  } else {
    for (size_t i = 0; i < 2; ++i) {
      numbers[i] = context.float_attribute(names.parameters[i], numbers[i]);
    }
  }
  const ValueId y = context.add_output(0, context.dtype(x), context.dims(x));
  if (row->op == Op::kClip) {
    if (name == "Relu") numbers[0] = 0, numbers[1] = kInfinite;
    context.add_node(row->op, {x}, {y}, ClipAttributes{numbers[0], numbers[1]});
  } else {
    context.add_node(row->op, {x}, {y}, UnaryAttributes{numbers[0], numbers[1]});
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
