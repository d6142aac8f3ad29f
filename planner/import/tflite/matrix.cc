// Imports TensorFlow Lite's matrix products.
#include <numeric>

#include "planner/graph/names.h"
#include "planner/import/tflite/hybrid.h"
#include "planner/import/tflite/operators.h"

namespace arenite::planner::tflite {

namespace {

// The product of rows with the weights [outputs, inputs], plus the bias.
ValueId product(Context& context, ValueId rows, ValueId weights) {
  if (is_hybrid(context, 0, 1)) {
    return hybrid_matmul(context, rows, context.transposed(context.stored(1), {1, 0}));
  }
  std::vector<ValueId> inputs = {rows, context.transposed(weights, {1, 0})};
  const ValueId bias = context.bias_or_zeros(2, {.x = 0, .weights = 1}, context.dims(weights)[0]);
  if (bias != kNoValue) inputs.push_back(bias);
  return context.add("Gemm", inputs);
}

}  // namespace

// Rows of as many elements as the weights [outputs, inputs] have inputs, whatever the input's rank.
void fully_connected(Context& context) {
  context.expect_operands(2, 3);
  const auto& options = context.options<tflite_schema::FullyConnectedOptions>();
  if (options.weights_format() != tflite_schema::FullyConnectedOptionsWeightsFormat_DEFAULT) {
    context.unsupported("shuffled weights are not supported", "weights in their order");
  }
  const ValueId x = context.input(0);
  const ValueId weights = context.weights(1);
  context.expect_rank(weights, 2);
  const Dims dims = context.dims(x);
  const Dims matrix = context.dims(weights);
  const Dim elements = planner::product(dims);
  if (matrix[1] == 0 || elements % matrix[1] != 0 ||
      (options.keep_num_dims() && (dims.empty() || dims.back() != matrix[1]))) {
    context.fail("input " + dims_text(dims) + " is no rows of " + dim_text(matrix[1]) +
                 " as weights " + dims_text(matrix) + " take");
  }
  const ValueId rows = context.reshaped(x, {elements / matrix[1], matrix[1]});
  const ValueId y =
      context.activated(product(context, rows, weights), options.fused_activation_function());
  if (!options.keep_num_dims()) return context.result(0, y);
  Dims kept = dims;
  kept.back() = matrix[0];
  context.result(0, context.reshaped(y, kept));
}

void batch_matmul(Context& context) {
  context.expect_operands(2, 2);
  const auto& options = context.options<tflite_schema::BatchMatMulOptions>();
  const auto operand = [&](size_t i, bool adjoint) {
    const ValueId x = context.input(i);
    const auto rank = static_cast<size_t>(context.rank(x));
    if (rank < 2) {
      context.fail("expected operands of rank 2 or more, found " +
                   dims_text(context.value(x).dims));
    }
    if (!adjoint) return x;
    std::vector<int64_t> permutation(rank);
    std::iota(permutation.begin(), permutation.end(), int64_t{0});
    std::swap(permutation[rank - 1], permutation[rank - 2]);
    return context.transposed(x, permutation);
  };
  const ValueId a = operand(0, options.adj_x());
  context.result(0, context.add("MatMul", {a, operand(1, options.adj_y())}));
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
