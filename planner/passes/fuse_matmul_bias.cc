// Turns a matrix product and the constant added to it into one product with three operands.
#include "planner/graph/rewrite.h"
#include "planner/passes/passes.h"

namespace arenite::planner {
namespace {

bool can_take_bias(const Node& node) {
  return node.op == Op::kMatMul && node.inputs.size() == 2 &&
         node.attributes_as<MatMulAttributes>().activation.kind == ActivationKind::kNone;
}

}  // namespace

void fuse_matmul_bias(Graph& graph) {
  Uses uses = find_uses(graph);
  for (Node& node : graph.nodes) {
    if (node.op != Op::kAdd ||
        node.attributes_as<BinaryAttributes>().activation.kind != ActivationKind::kNone) {
      continue;
    }
    for (size_t i = 0; i < 2; ++i) {
      const ValueId x = node.inputs[i];
      const ValueId bias = node.inputs[1 - i];
      Node* product = sole_producer(graph, uses, x);
      if (product == nullptr || !can_take_bias(*product)) continue;
      // The sum must have the product's dims, or the bias would repeat it.
      const bool fits = graph.values[bias].constant != nullptr &&
                        graph.values[bias].dtype == DType::kFloat32 &&
                        always(graph.values[node.outputs[0]].dims == graph.values[x].dims);
      if (!fits) continue;
      auto attributes = product->attributes_as<MatMulAttributes>();
      attributes.beta = 1.0f;
      product->set_attributes(attributes);
      product->inputs.push_back(bias);
      ++uses.read_count[bias];
      merge_into(graph, uses, *product, node);
      break;
    }
  }
  remove_nodes(graph, uses);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
