// Splits products with a residual into a product and a sum, which takes the activation.
#include "planner/passes/integers/without_residuals.h"

#include <utility>

#include "ops/attributes.h"
#include "planner/graph/op_facts.h"
#include "planner/graph/rewrite.h"

namespace arenite::planner {
namespace {

bool has_residual(const Node& node) {
  return (node.op == Op::kConv || node.op == Op::kMatMul) && node.has_input(kResidualInput);
}

// Leaves a product of its sums alone; returns what adds the residual to them.
Node split_off_sum(Graph& graph, Node& product) {
  const ValueId residual = product.inputs[kResidualInput];
  product.inputs.pop_back();
  while (product.inputs.back() == kNoValue) product.inputs.pop_back();
  const ValueId y = product.outputs[0];
  const Value like = graph.values[y];
  product.outputs = {add_value(graph, like.name, like.dtype, like.dims)};
  BinaryAttributes attributes = {};
  attributes.activation = take_activation(product);
  Node sum = {Op::kAdd, {product.outputs[0], residual}, {y}, {}, product.sources};
  sum.set_attributes(attributes);
  return sum;
}

}  // namespace

std::optional<Graph> without_residuals(const Graph& graph) {
  std::optional<Graph> result;
  for (size_t n = 0; n < (result ? *result : graph).nodes.size(); ++n) {
    if (!has_residual((result ? *result : graph).nodes[n])) continue;
    if (!result) result = graph;
    Node sum = split_off_sum(*result, result->nodes[n]);
    result->nodes.insert(result->nodes.begin() + static_cast<std::ptrdiff_t>(n) + 1,
                         std::move(sum));
  }
  return result;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
