// Looks at each lookup and the node that makes its operand.
#include "planner/passes/integers/joined_lookups.h"

#include <string>
#include <utility>
#include <vector>

#include "ops/attributes.h"
#include "planner/graph/rewrite.h"
#include "planner/passes/integers/joined_integers.h"
#include "planner/passes/integers/result_tables.h"

namespace arenite::planner {
namespace {

bool is_lookup_of_images(const Graph& graph, const Node& node) {
  const Dims& dims = graph.values[node.outputs[0]].dims;
  return is_lookup_of_bytes(graph, node) && dims.size() == 4 && !has_count(dims);
}

// The nodes that take a lookup's place: a transpose of what the convolution makes stays behind it.
std::vector<Node> nodes_instead(Graph& graph, const Node& lookup, const ConvBefore& before) {
  const Node conv = graph.nodes[before.conv];
  Node node;
  node.op = Op::kQuantizedConvLookup;
  node.inputs = {conv.inputs[0], conv.inputs[1], add_ends(graph, conv, {}), lookup.inputs[1]};
  node.outputs = lookup.outputs;
  node.attributes = conv.attributes;
  node.sources = conv.sources;
  append_sources(node, lookup);
  if (before.transpose == kNoNode) return {node};
  const Value like = graph.values[conv.outputs[0]];
  const std::string name = graph.values[lookup.outputs[0]].name;
  node.outputs = {add_value(graph, name, like.dtype, like.dims)};
  const Node behind = {Op::kTranspose, node.outputs, lookup.outputs,
                       graph.nodes[before.transpose].attributes, node.sources};
  return {node, behind};
}

}  // namespace

std::optional<Graph> with_joined_lookups(const Graph& graph) {
  return with_joined_convs(
      graph, [](Graph& result, const Uses& uses, const Node& node) -> std::optional<JoinedConv> {
        if (!is_lookup_of_images(result, node)) return std::nullopt;
        const auto before = find_conv_before(result, uses, node.inputs[0]);
        if (!before) return std::nullopt;
        return JoinedConv{*before, nodes_instead(result, node, *before)};
      });
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
