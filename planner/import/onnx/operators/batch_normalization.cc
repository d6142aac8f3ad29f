// Imports BatchNormalization: inference in all opsets, training from opset 14 on.
#include <algorithm>

#include "ops/attributes.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"
#include "planner/import/onnx/operators/steps.h"

namespace arenite::planner {
namespace {

BatchNormalizationAttributes read_attributes(OpContext& context) {
  BatchNormalizationAttributes attributes{};
  attributes.epsilon = context.float_attribute("epsilon", 1e-5f);
  attributes.momentum = context.float_attribute("momentum", 0.9f);
  if (context.opset() >= 14) {
    attributes.training = context.flag_attribute("training_mode", false) ? 1 : 0;
    return attributes;
  }
  // Models that are no longer trained often leave is_test out: one output means inference.
  if (context.opset() < 7) context.ignore_attribute("is_test");
  if (context.opset() < 6) context.ignore_attribute("consumed_inputs");
  return attributes;
}

// Statistics of each element instead of each channel, before opset 9: y = (x - mean) * (scale /
// sqrt(variance + epsilon)) + bias, the factor being a constant where its operands are.
void import_elements(OpContext& context, const BatchNormalizationAttributes& attributes) {
  const ValueId x = context.input(0);
  const Dims x_dims = context.dims(x);
  for (size_t i = 1; i < 5; ++i) {
    const Dims dims = context.dims(context.input(i));
    if (x_dims.empty() || !std::equal(dims.begin(), dims.end(), x_dims.begin() + 1, x_dims.end())) {
      context.fail("input " + std::to_string(i) + " has dims " + dims_text(dims) +
                   ", expected those of " + dims_text(x_dims) + " without the first");
    }
  }
  Steps steps(context);
  const ValueId epsilon = steps.scalar(context.dtype(x), double{attributes.epsilon});
  const ValueId deviation =
      steps.unary(Op::kSqrt, steps.binary(Op::kAdd, context.input(4), epsilon));
  const ValueId factor = steps.binary(Op::kDiv, context.input(1), deviation);
  const ValueId scaled =
      steps.binary(Op::kMul, steps.binary(Op::kSub, x, context.input(3)), factor);
  const ValueId y = context.add_output(0, context.dtype(x), x_dims);
  context.add_node(Op::kAdd, {scaled, context.input(2)}, {y}, BinaryAttributes{});
}

}  // namespace

void import_batch_normalization(OpContext& context) {
  context.expect_operands(5, 5, context.opset() >= 14 ? 3 : 5);
  const BatchNormalizationAttributes attributes = read_attributes(context);
  if (context.opset() < 9 && !context.flag_attribute("spatial", true)) {
    return import_elements(context, attributes);
  }
  ValueId x = context.input(0);
  const Dims x_dims = context.dims(x);
  if (x_dims.empty()) context.fail("expected an input of rank 1 or more, found a scalar");
  const Dim channels = x_dims.size() == 1 ? Dim(1) : x_dims[1];
  std::vector<ValueId> inputs = {x};
  for (size_t i = 1; i < 5; ++i) {
    const ValueId parameter = context.input(i);
    if (context.dims(parameter) != Dims{channels}) {
      context.fail("input " + std::to_string(i) + " has dims " +
                   dims_text(context.dims(parameter)) + ", expected [" + dim_text(channels) +
                   "], the channels of " + dims_text(x_dims));
    }
    inputs.push_back(parameter);
  }
  const DType type = context.dtype(x);
  const bool vector = x_dims.size() == 1;
  // A vector is a batch of single channels.
  if (vector) inputs[0] = reshaped(context, x, {x_dims[0], 1}, "column");
  const ValueId y = vector ? context.add_between("normalized", type, {x_dims[0], 1})
                           : context.add_output(0, type, x_dims);
  std::vector<ValueId> outputs = {y};
  if (attributes.training != 0 && (context.wants_output(1) || context.wants_output(2))) {
    const char* names[] = {"running_mean", "running_variance"};
    for (size_t i = 1; i < 3; ++i) {
      outputs.push_back(context.wants_output(i)
                            ? context.add_output(i, type, {channels})
                            : context.add_between(names[i - 1], type, {channels}));
    }
  }
  context.add_node(Op::kBatchNormalization, inputs, outputs, attributes);
  if (vector) reshape_to_output(context, y, {x_dims[0]});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
