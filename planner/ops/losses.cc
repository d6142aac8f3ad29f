// Imports NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss: the target is compared with each
// class, and what is not hit is 0 in the sums.
#include <functional>
#include <numeric>

#include "planner/names.h"
#include "planner/ops/ops.h"
#include "planner/ops/shapes.h"
#include "planner/ops/steps.h"

namespace arenite::planner {
namespace {

// Stands for a class that is ignored: no target is it, since one outside the classes means nothing.
// Compared as int32, which GPUs compute with.
constexpr int64_t kNoTarget = -(int64_t{1} << 30);

// Refuses all but x [N, C, ...], target [N, ...], weights [C] or none.
void check_operands(OpContext& context) {
  const std::vector<uint32_t> x = context.dims(context.input(0));
  const std::vector<uint32_t> target = context.dims(context.input(1));
  if (x.size() < 2) context.fail("expected [N, C, ...], found " + dims_text(x));
  std::vector<uint32_t> expected = x;
  expected.erase(expected.begin() + 1);
  if (target != expected) {
    context.fail("expected a target " + dims_text(expected) + " for " + dims_text(x) + ", found " +
                 dims_text(target));
  }
  const DType type = context.dtype(context.input(1));
  if (type != DType::kInt32 && type != DType::kInt64) {
    context.fail("the target is " + dtype_name(type) + ", expected int32 or int64");
  }
  if (context.has_input(2) && context.dims(context.input(2)) != std::vector<uint32_t>{x[1]}) {
    context.fail("expected weights [" + std::to_string(x[1]) + "], found " +
                 dims_text(context.dims(context.input(2))));
  }
}

// Whether each of [N, C, pixels] is the target's class.
ValueId hits_of(OpContext& context, Steps& steps, int64_t classes) {
  std::vector<int64_t> numbers(static_cast<size_t>(classes));
  std::iota(numbers.begin(), numbers.end(), int64_t{0});
  if (const std::optional<int64_t> ignored = context.find_int("ignore_index")) {
    if (*ignored >= 0 && *ignored < classes) numbers[static_cast<size_t>(*ignored)] = kNoTarget;
  }
  const ValueId target = steps.cast(context.input(1), DType::kInt32);
  const std::vector<int64_t> dims = steps.dims(target);
  const int64_t pixels =
      std::accumulate(dims.begin() + 1, dims.end(), int64_t{1}, std::multiplies<>());
  return steps.compare(Op::kEqual, steps.reshape(target, {dims[0], 1, pixels}),
                       steps.cast(steps.constant({1, classes, 1}, numbers), DType::kInt32));
}

// Adds output 0, the loss of x, the logarithms of shares.
void add_loss(OpContext& context, ValueId x) {
  Steps steps(context);
  const DType type = context.dtype(x);
  const int64_t classes = context.dims(x)[1];
  const ValueId hits = hits_of(context, steps, classes);
  ValueId shares = steps.reshape(x, steps.dims(hits));
  const ValueId zero = steps.scalar(type, 0);
  ValueId weights = steps.scalar(type, 1);
  if (context.has_input(2)) {
    weights = steps.reshape(context.input(2), {1, classes, 1});
    shares = steps.binary(Op::kMul, shares, weights);
  }
  const ValueId losses =
      steps.unary(Op::kNeg, steps.reduce(Op::kReduceSum, steps.where(hits, shares, zero), {1}));
  const std::string reduction = context.string_attribute("reduction", "mean");
  if (reduction == "none") return reshape_to_output(context, losses, steps.dims(context.input(1)));
  const ValueId sum = steps.reduce(Op::kReduceSum, losses, {0, 2});
  if (reduction == "sum") return reshape_to_output(context, sum, {});
  if (reduction != "mean") {
    context.fail_attribute("reduction",
                           "expected none, sum or mean, found " + in_quotes(reduction));
  }
  const ValueId all = steps.reduce(Op::kReduceSum, steps.where(hits, weights, zero), {0, 1, 2});
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
  const ValueId logarithms =
      context.add_between("log_softmax", context.dtype(x), signed_dims(context.dims(x)));
  context.add_node(Op::kLogSoftmax, {x}, {logarithms}, SoftmaxAttributes{0b10});
  add_loss(context, logarithms);
  if (context.wants_output(1)) copy_to_output(context, 1, logarithms);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
