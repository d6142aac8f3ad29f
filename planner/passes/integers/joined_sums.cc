// Looks at each quantized sum and the nodes that make its operands.
#include "planner/passes/integers/joined_sums.h"

#include <string>
#include <utility>
#include <vector>

#include "ops/attributes.h"
#include "planner/graph/rewrite.h"
#include "planner/passes/integers/joined_integers.h"

namespace arenite::planner {
namespace {

bool have_same_dims(const Graph& graph, const Node& sum) {
  const Value& y = graph.values[sum.outputs[0]];
  for (const ValueId id : sum.inputs) {
    const Value& x = graph.values[id];
    if (x.constant != nullptr || x.dtype != y.dtype || !always(x.dims == y.dims)) return false;
  }
  return y.dims.size() == 4 && !has_count(y.dims);
}

using Order = std::vector<uint32_t>;

// The operand of a sum that becomes a part of the convolution, and what makes it.
struct Joint {
  size_t operand;
  ConvBefore before;
};

// Finds the operand that is made later: the other one is there by then.
std::optional<Joint> find_joint(Graph& graph, const Uses& uses, const Node& sum) {
  std::optional<Joint> best;
  for (size_t i = 0; i < 2; ++i) {
    const std::optional<ConvBefore> before = find_conv_before(graph, uses, sum.inputs[i]);
    if (before && (!best || before->conv > best->before.conv)) best = Joint{i, *before};
  }
  return best;
}

Order inverse_of(const Order& order) {
  Order inverse(order.size());
  for (uint32_t d = 0; d < order.size(); ++d) inverse[order[d]] = d;
  return inverse;
}

Node joined(Graph& graph, const Node& conv, const Node& sum, size_t operand) {
  QuantizedConvAddAttributes attributes = {conv.attributes_as<QuantizedConvAttributes>(),
                                           sum.attributes_as<QuantizedAddAttributes>()};
  if (operand == 1) {
    std::swap(attributes.sum.zero_points[0], attributes.sum.zero_points[1]);
    std::swap(attributes.sum.multipliers[0], attributes.sum.multipliers[1]);
    std::swap(attributes.sum.shifts[0], attributes.sum.shifts[1]);
  }
  Node node;
  node.op = Op::kQuantizedConvAdd;
  node.inputs = {conv.inputs[0], conv.inputs[1], add_ends(graph, conv, {}),
                 sum.inputs[1 - operand]};
  node.outputs = sum.outputs;
  node.sources = conv.sources;
  append_sources(node, sum);
  node.set_attributes(attributes);
  return node;
}

// The nodes that take the place of a sum: transposes of the residual and of the result keep their
// order. They are views.
std::vector<Node> nodes_instead(Graph& graph, const Node& sum, const Joint& joint) {
  const Node conv = graph.nodes[joint.before.conv];
  Node node = joined(graph, conv, sum, joint.operand);
  if (joint.before.transpose == kNoNode) return {node};
  const Order order = graph.nodes[joint.before.transpose].attributes;
  const Value like = graph.values[conv.outputs[0]];
  const auto add_like = [&](ValueId named) {
    const std::string name = graph.values[named].name;
    return add_value(graph, name, like.dtype, like.dims);
  };
  const ValueId r = add_like(node.inputs[kResidualInput]), y = add_like(node.outputs[0]);
  const Node before = {
      Op::kTranspose, {node.inputs[kResidualInput]}, {r}, inverse_of(order), node.sources};
  const Node behind = {Op::kTranspose, {y}, node.outputs, order, node.sources};
  node.inputs[kResidualInput] = r;
  node.outputs = {y};
  return {before, node, behind};
}

}  // namespace

std::optional<Graph> with_joined_sums(const Graph& graph) {
  return with_joined_convs(
      graph, [](Graph& result, const Uses& uses, const Node& node) -> std::optional<JoinedConv> {
        if (node.op != Op::kQuantizedAdd || !have_same_dims(result, node) ||
            node.attributes_as<QuantizedAddAttributes>().kind != SumKind::kSum) {
          return std::nullopt;
        }
        const std::optional<Joint> joint = find_joint(result, uses, node);
        if (!joint) return std::nullopt;
        return JoinedConv{joint->before, nodes_instead(result, node, *joint)};
      });
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
