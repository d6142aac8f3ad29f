// Lets convolutions and matrix products add a residual to their sums, where a sum of two tensors
// did.
#include <optional>
#include <utility>

#include "planner/graph/op_facts.h"
#include "planner/graph/rewrite.h"
#include "planner/passes/passes.h"

namespace arenite::planner {
namespace {

// Whether sums of the product can start at a bias and a residual: vector kernels do not scale them.
bool starts_at_numbers(const Graph& graph, const Node& product) {
  const auto attributes = product.attributes_as<MatMulAttributes>();
  if (attributes.alpha != 1.0f) return false;
  if (!product.has_input(2)) return true;
  const Dims& c = graph.values[product.inputs[2]].dims;
  for (size_t d = 0; d + 1 < c.size(); ++d) {
    if (!always(c[d] == 1)) return false;
  }
  return attributes.beta == 1.0f;
}

bool can_take_residual(const Graph& graph, const Node& node) {
  if (node.has_input(kResidualInput)) return false;
  if (has_activation(node)) return false;
  return node.op == Op::kConv || (node.op == Op::kMatMul && starts_at_numbers(graph, node));
}

// The operand of a sum that a product makes for it alone; of two the later one, so that what the
// other makes is there.
std::optional<size_t> product_of(Graph& graph, const Uses& uses, const Node& sum) {
  std::optional<size_t> best;
  for (size_t i = 0; i < 2; ++i) {
    const Node* product = sole_producer(graph, uses, sum.inputs[i]);
    if (product == nullptr || !can_take_residual(graph, *product)) continue;
    const uint32_t at = uses.producer[sum.inputs[i]];
    if (!best || at > uses.producer[sum.inputs[*best]]) best = i;
  }
  return best;
}

// Nothing is repeated, or the residual would have other dims than the sums.
bool have_same_dims(const Graph& graph, const Node& sum) {
  const Value& y = graph.values[sum.outputs[0]];
  for (const ValueId id : sum.inputs) {
    const Value& x = graph.values[id];
    if (x.dtype != DType::kFloat32 || !always(x.dims == y.dims)) return false;
  }
  return true;
}

}  // namespace

void fuse_residual(Graph& graph) {
  Uses uses = find_uses(graph);
  for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
    const Node sum = graph.nodes[n];
    if (sum.op != Op::kAdd || !have_same_dims(graph, sum)) continue;
    const std::optional<size_t> i = product_of(graph, uses, sum);
    if (!i) continue;
    const uint32_t at = uses.producer[sum.inputs[*i]];
    Node product = graph.nodes[at];
    product.inputs.resize(kResidualInput, kNoValue);
    product.inputs.push_back(sum.inputs[1 - *i]);
    set_activation(product, sum.attributes_as<BinaryAttributes>().activation);
    product.outputs = sum.outputs;
    append_sources(product, sum);
    // The product stands where the sum did: the residual may be made in between.
    --uses.read_count[sum.inputs[*i]];
    uses.producer[sum.outputs[0]] = n;
    uses.removed[at] = true;
    graph.nodes[n] = std::move(product);
  }
  remove_nodes(graph, uses);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
