// Looks for the pattern from its end: a product, the two convolutions that make one factor, and
// their mean of the other factor.
#include "planner/passes/integers/joined_gates.h"

#include <utility>
#include <vector>

#include "kernels/dispatch/dispatch.h"
#include "planner/graph/op_facts.h"
#include "planner/graph/rewrite.h"
#include "planner/passes/integers/gate_weights.h"

namespace arenite::planner {
namespace {

constexpr uint32_t kImageAxes = 0b1100;

const Value& value_of(const Graph& graph, ValueId id) { return graph.values[id]; }

bool fits_uniform(const Value& bias) {
  return bias.elements() * sizeof(float) + kBufferAlignment <= kMaxUniformBytes;
}

// A convolution [O, I, 1, 1] of a single place with constant operands, without a residual.
bool is_product_of_place(const Graph& graph, const Node& node) {
  if (node.op != Op::kConv || node.inputs.size() != 3 || !node.has_input(2)) return false;
  const Value& x = value_of(graph, node.inputs[0]);
  const Value& w = value_of(graph, node.inputs[1]);
  const Value& bias = value_of(graph, node.inputs[2]);
  const Value& y = value_of(graph, node.outputs[0]);
  if (w.constant == nullptr || bias.constant == nullptr || x.dims.size() != 4) return false;
  for (const Value* image : {&x, &w, &y}) {
    if (!always(image->dims[2] == 1) || !always(image->dims[3] == 1)) return false;
  }
  return node.attributes_as<ConvAttributes>().groups == 1 && bias.dtype == DType::kFloat32 &&
         fits_uniform(bias);
}

// The nodes of one pattern.
struct Parts {
  ValueId x;
  uint32_t mean, first, second;
};

std::optional<uint32_t> sole_product(Graph& graph, const Uses& uses, ValueId id) {
  const Node* node = sole_producer(graph, uses, id);
  if (node == nullptr || !is_product_of_place(graph, *node)) return std::nullopt;
  return uses.producer[id];
}

bool is_mean_of(const Graph& graph, const Node* node, ValueId x) {
  return node != nullptr && node->op == Op::kReduceMean && node->inputs[0] == x &&
         node->attributes_as<ReduceAttributes>().axes == kImageAxes &&
         value_of(graph, node->outputs[0]).dims.size() == 4;
}

// The parts that make factor `gate` of a product from its other factor.
std::optional<Parts> parts_of(Graph& graph, const Uses& uses, const Node& product, size_t gate) {
  const ValueId x = product.inputs[1 - gate];
  const Dims& dims = value_of(graph, x).dims;
  if (dims.size() != 4 || has_count(dims) ||
      !always(dims == value_of(graph, product.outputs[0]).dims)) {
    return std::nullopt;
  }
  const auto second = sole_product(graph, uses, product.inputs[gate]);
  if (!second) return std::nullopt;
  const auto first = sole_product(graph, uses, graph.nodes[*second].inputs[0]);
  if (!first) return std::nullopt;
  const ValueId mean = graph.nodes[*first].inputs[0];
  if (!is_mean_of(graph, sole_producer(graph, uses, mean), x)) return std::nullopt;
  const Value& w = value_of(graph, graph.nodes[*first].inputs[1]);
  const Value& v = value_of(graph, graph.nodes[*second].inputs[1]);
  if (!always(w.dims[0] <= kSqueezeRowsMax) || !always(w.dims[0] > 0) ||
      !always(v.dims[0] == dims[1]) || w.dtype != v.dtype) {
    return std::nullopt;
  }
  return Parts{x, uses.producer[mean], *first, *second};
}

Node joined(Graph& graph, Uses& uses, const Parts& parts, const Node& product) {
  const Node mean = graph.nodes[parts.mean];
  const Node first = graph.nodes[parts.first], second = graph.nodes[parts.second];
  SqueezeExciteAttributes attributes = {};
  attributes.inner_activation = first.attributes_as<ConvAttributes>().activation;
  attributes.gate_activation = second.attributes_as<ConvAttributes>().activation;
  Node node;
  node.op = Op::kSqueezeExcite;
  node.inputs = {parts.x, add_gate_weights(graph, first.inputs[1], second.inputs[1]),
                 first.inputs[2], second.inputs[2]};
  node.outputs = product.outputs;
  node.set_attributes(attributes);
  node.sources = mean.sources;
  for (const Node* part : {&first, &second, &product}) append_sources(node, *part);
  // The new constant has no producer, and one reader.
  uses.producer.resize(graph.values.size(), kNoNode);
  uses.read_count.resize(graph.values.size(), 1);
  return node;
}

}  // namespace

std::optional<Graph> with_joined_gates(const Graph& graph) {
  Graph result = graph;
  Uses uses = find_uses(result);
  bool found = false;
  for (size_t n = 0; n < result.nodes.size(); ++n) {
    const Node product = result.nodes[n];
    if (product.op != Op::kMul || has_activation(product) ||
        value_of(result, product.outputs[0]).dtype != DType::kFloat32) {
      continue;
    }
    auto parts = parts_of(result, uses, product, 0);
    if (!parts) parts = parts_of(result, uses, product, 1);
    if (!parts) continue;
    for (const uint32_t part : {parts->mean, parts->first, parts->second})
      uses.removed[part] = true;
    --uses.read_count[parts->x];  // the mean and the product were two readers
    result.nodes[n] = joined(result, uses, *parts, product);
    found = true;
  }
  if (!found) return std::nullopt;
  remove_nodes(result, uses);
  return result;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
