// Writes powers with the exponents 2, 3 and -1 as products and reciprocals: a power takes a
// logarithm and an exponential of 64 bits, and no form with vectors computes it.
#include "planner/graph/rewrite.h"
#include "planner/passes/passes.h"

namespace arenite::planner {
namespace {

// The one exponent of a power of floats with the dims of its base; 0 for other nodes.
float exponent_of(const Graph& graph, const Node& node) {
  if (node.op != Op::kPow) return 0;
  const Value& base = graph.values[node.inputs[0]];
  const Value& exponent = graph.values[node.inputs[1]];
  const bool same_dims = always(base.dims == graph.values[node.outputs[0]].dims);
  if (base.dtype != DType::kFloat32 || exponent.dtype != DType::kFloat32 || !same_dims) return 0;
  if (exponent.constant == nullptr || exponent.elements() != 1) return 0;
  return float_elements(exponent)[0];
}

Node product_of(const Node& power, ValueId a, ValueId b) {
  Node product = power;
  product.op = Op::kMul;
  product.inputs = {a, b};
  return product;
}

}  // namespace

void reduce_powers(Graph& graph) {
  std::vector<Node> nodes;
  nodes.reserve(graph.nodes.size());
  for (const Node& node : graph.nodes) {
    const float exponent = exponent_of(graph, node);
    const ValueId x = node.inputs.empty() ? kNoValue : node.inputs[0];
    if (exponent == 2) {
      nodes.push_back(product_of(node, x, x));
    } else if (exponent == 3) {
      const Value& y = graph.values[node.outputs[0]];
      const ValueId square = add_value(graph, std::string(y.name), y.dtype, Dims(y.dims));
      nodes.push_back(product_of(node, x, x));
      nodes.back().outputs = {square};
      nodes.push_back(product_of(node, square, x));
    } else if (exponent == -1) {
      Node reciprocal = node;
      reciprocal.op = Op::kReciprocal;
      reciprocal.inputs = {x};
      reciprocal.set_attributes(UnaryAttributes{});
      nodes.push_back(std::move(reciprocal));
    } else {
      nodes.push_back(node);
    }
  }
  graph.nodes = std::move(nodes);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
