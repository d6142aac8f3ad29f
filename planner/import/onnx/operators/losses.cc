// Imports NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss: the target's class is looked up,
// so that one that does not exist is an error of the run; GPUs take the nearest, as for all
// indices.

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"
#include "planner/import/onnx/operators/steps.h"

namespace arenite::planner {
namespace {

// Refuses all but x [N, C, ...], target [N, ...], weights [C] or none.
void check_operands(OpContext& context) {
  const Dims x = context.dims(context.input(0));
  const Dims target = context.dims(context.input(1));
  if (x.size() < 2) context.fail("expected [N, C, ...], found " + dims_text(x));
  Dims expected = x;
  expected.erase(expected.begin() + 1);
  if (target != expected) {
    context.fail("expected a target " + dims_text(expected) + " for " + dims_text(x) + ", found " +
                 dims_text(target));
  }
  const DType type = context.dtype(context.input(1));
  if (type != DType::kInt32 && type != DType::kInt64) {
    context.fail("the target is " + dtype_name(type) + ", expected int32 or int64");
  }
  if (context.has_input(2) && context.dims(context.input(2)) != Dims{x[1]}) {
    context.fail("expected weights [" + dim_text(x[1]) + "], found " +
                 dims_text(context.dims(context.input(2))));
  }
}

// The targets as [N, 1, pixels], in int32, which GPUs compute with.
struct Targets {
  ValueId classes;             // what is looked up: an ignored one is 0, one below 0 is too large
  ValueId ignored = kNoValue;  // whether each is; kNoValue: none is
};

Targets targets_of(OpContext& context, Steps& steps, const Dim& classes) {
  const Dims dims = steps.dims(context.input(1));
  const Dim pixels = product({dims.begin() + 1, dims.end()});
  const ValueId given =
      steps.reshape(steps.cast(context.input(1), DType::kInt32), {dims[0], 1, pixels});
  const ValueId zero = steps.scalar(DType::kInt32, 0);
  // A negative class would count from the last one, so it becomes one beyond the last.
  const ValueId beyond = steps.scalar(
      DType::kInt32, static_cast<double>(baked(classes, "what stands for a class below 0")));
  Targets targets;
  targets.classes = steps.where(steps.compare(Op::kLess, given, zero), beyond, given);
  if (const std::optional<int64_t> ignored = context.find_int("ignore_index")) {
    targets.ignored = steps.compare(
        Op::kEqual, given,
        steps.cast(steps.constant({}, std::vector<int64_t>{*ignored}), DType::kInt32));
    targets.classes = steps.where(targets.ignored, zero, targets.classes);
  }
  return targets;
}

// Adds output 0, the loss of x, the logarithms of shares.
void add_loss(OpContext& context, ValueId x) {
  Steps steps(context);
  const DType type = context.dtype(x);
  const Dim classes = context.dims(x)[1];
  const Targets targets = targets_of(context, steps, classes);
  const Dims dims = steps.dims(targets.classes);
  const ValueId zero = steps.scalar(type, 0);
  const auto without_ignored = [&](ValueId y) {
    return targets.ignored == kNoValue ? y : steps.where(targets.ignored, zero, y);
  };
  ValueId shares =
      steps.gather_elements(steps.reshape(x, {dims[0], classes, dims[2]}), targets.classes, 1);
  ValueId weights = kNoValue;
  if (context.has_input(2)) {
    weights = steps.gather(context.input(2), targets.classes, 0);
    shares = steps.binary(Op::kMul, shares, weights);
  }
  const ValueId losses = steps.unary(Op::kNeg, without_ignored(shares));
  const std::string reduction = context.string_attribute("reduction", "mean");
  if (reduction == "none") return reshape_to_output(context, losses, steps.dims(context.input(1)));
  const ValueId sum = steps.reduce(Op::kReduceSum, losses, {0, 1, 2});
  if (reduction == "sum") return reshape_to_output(context, sum, {});
  if (reduction != "mean") {
    context.fail_attribute("reduction", "expected none, sum or mean, found " + quote(reduction));
  }
  if (weights == kNoValue) weights = steps.expand(steps.scalar(type, 1), dims);
  const ValueId all = steps.reduce(Op::kReduceSum, without_ignored(weights), {0, 1, 2});
  reshape_to_output(context, steps.binary(Op::kDiv, sum, all), {});
}

}  // namespace

void import_negative_log_likelihood_loss(OpContext& context) {
  context.expect_operands(2, 3);
  check_operands(context);
  add_loss(context, context.input(0));
}

void import_softmax_cross_entropy_loss(OpContext& context) {
  context.expect_operands(2, 3, 2);
  check_operands(context);
  const ValueId x = context.input(0);
  const ValueId logarithms = context.add_between("log_softmax", context.dtype(x), context.dims(x));
  context.add_node(Op::kLogSoftmax, {x}, {logarithms}, SoftmaxAttributes{0b10});
  add_loss(context, logarithms);
  if (context.wants_output(1)) copy_to_output(context, 1, logarithms);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
