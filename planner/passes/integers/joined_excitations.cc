// Looks for the pattern from its end: a product, and the two convolutions that make one factor.
#include "planner/passes/integers/joined_excitations.h"

#include <utility>
#include <vector>

#include "ops/attributes.h"
#include "planner/graph/rewrite.h"
#include "planner/passes/integers/gate_weights.h"
#include "planner/passes/integers/joined_integers.h"
#include "planner/passes/integers/result_tables.h"

namespace arenite::planner {
namespace {

// A product of one number a channel and weights, and the table of its results where there is one.
struct Stage {
  uint32_t conv;
  uint32_t lookup = kNoNode;
};

bool is_one_place(const Value& image) {
  return image.dims.size() == 4 && always(image.dims[2] == 1) && always(image.dims[3] == 1);
}

// A plain convolution of whole places, each without what lies around it.
bool is_integer_product(const Graph& graph, const Node& conv) {
  const auto attributes = conv.attributes_as<QuantizedConvAttributes>();
  return attributes.groups == 1 && attributes.pad_begin[0] == 0 && attributes.pad_begin[1] == 0 &&
         is_one_place(graph.values[conv.inputs[0]]) && is_one_place(graph.values[conv.inputs[1]]) &&
         is_one_place(graph.values[conv.outputs[0]]);
}

std::optional<Stage> find_stage(Graph& graph, const Uses& uses, ValueId value) {
  Stage stage = {kNoNode};
  const Node* node = sole_producer(graph, uses, value);
  if (node != nullptr && is_lookup_of_bytes(graph, *node)) {
    stage.lookup = uses.producer[value];
    value = node->inputs[0];
  }
  const std::optional<ConvBefore> before = find_conv_before(graph, uses, value);
  if (!before || before->transpose != kNoNode) return std::nullopt;
  stage.conv = before->conv;
  if (!is_integer_product(graph, graph.nodes[stage.conv])) return std::nullopt;
  return stage;
}

struct Excitation {
  size_t gate;  // factor of the product
  Stage first, second;
};

std::optional<Excitation> find_excitation(Graph& graph, const Uses& uses, const Node& product,
                                          size_t gate) {
  const ValueId x = product.inputs[1 - gate];
  const Value& image = graph.values[x];
  if (image.constant != nullptr || image.dims.size() != 4 || has_count(image.dims) ||
      !always(image.dims == graph.values[product.outputs[0]].dims)) {
    return std::nullopt;
  }
  const std::optional<Stage> second = find_stage(graph, uses, product.inputs[gate]);
  if (!second) return std::nullopt;
  const ValueId hidden = graph.nodes[second->conv].inputs[0];
  const std::optional<Stage> first = find_stage(graph, uses, hidden);
  if (!first) return std::nullopt;
  const Node& squeeze = graph.nodes[first->conv];
  const Node& excite = graph.nodes[second->conv];
  const Value& w = graph.values[squeeze.inputs[1]];
  const Value& v = graph.values[excite.inputs[1]];
  if (!always(w.dims[0] <= kSqueezeRowsMax) || !always(w.dims[0] > 0) ||
      !always(v.dims[0] == image.dims[1]) || w.dtype != v.dtype) {
    return std::nullopt;
  }
  const Value& means = graph.values[squeeze.inputs[0]];
  if (!always(means.dims[0] == image.dims[0]) || !always(means.dims[1] == image.dims[1])) {
    return std::nullopt;
  }
  // All numbers but weights have one type.
  for (const ValueId id : {squeeze.inputs[0], squeeze.outputs[0], hidden, excite.outputs[0],
                           product.inputs[gate], product.outputs[0]}) {
    if (graph.values[id].dtype != image.dtype) return std::nullopt;
  }
  return Excitation{gate, *first, *second};
}

QuantizedExciteAttributes attributes_of(const Node& first, const Node& second, const Node& product,
                                        size_t gate) {
  const auto squeeze = first.attributes_as<QuantizedConvAttributes>();
  const auto excite = second.attributes_as<QuantizedConvAttributes>();
  QuantizedExciteAttributes attributes = {
      .means_zero_point = squeeze.x_zero_point,
      .hidden_zero_point = excite.x_zero_point,
      .w_zero_points = {squeeze.w_zero_point, excite.w_zero_point},
      .hidden = squeeze.output,
      .gate = excite.output,
      .product = product.attributes_as<QuantizedMulAttributes>()};
  int32_t(&zero_points)[2] = attributes.product.zero_points;
  if (gate == 0) std::swap(zero_points[0], zero_points[1]);
  return attributes;
}

Node joined(Graph& graph, const Excitation& parts, const Node& product) {
  const Node first = graph.nodes[parts.first.conv], second = graph.nodes[parts.second.conv];
  const Value like = graph.values[first.outputs[0]];
  Node node;
  node.op = Op::kQuantizedExcite;
  node.inputs = {
      product.inputs[1 - parts.gate],
      first.inputs[0],
      add_gate_weights(graph, first.inputs[1], second.inputs[1]),
      add_ends(graph, first, {}),
      add_ends(graph, second, {}),
      add_result_tables(graph, like.name, like.dtype, {parts.first.lookup, parts.second.lookup})};
  node.outputs = product.outputs;
  node.set_attributes(attributes_of(first, second, product, parts.gate));
  node.sources = first.sources;
  if (parts.first.lookup != kNoNode) append_sources(node, graph.nodes[parts.first.lookup]);
  append_sources(node, second);
  if (parts.second.lookup != kNoNode) append_sources(node, graph.nodes[parts.second.lookup]);
  append_sources(node, product);
  return node;
}

}  // namespace

std::optional<Graph> with_joined_excitations(const Graph& graph) {
  Graph result = graph;
  Uses uses = find_uses(result);
  bool found = false;
  for (size_t n = 0; n < result.nodes.size(); ++n) {
    const Node product = result.nodes[n];
    if (product.op != Op::kQuantizedMul) continue;
    std::optional<Excitation> parts = find_excitation(result, uses, product, 0);
    if (!parts) parts = find_excitation(result, uses, product, 1);
    if (!parts) continue;
    result.nodes[n] = joined(result, *parts, product);
    for (const Stage& stage : {parts->first, parts->second}) {
      uses.removed[stage.conv] = true;
      if (stage.lookup != kNoNode) uses.removed[stage.lookup] = true;
    }
    found = true;
  }
  if (!found) return std::nullopt;
  remove_nodes(result, uses);
  return result;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
