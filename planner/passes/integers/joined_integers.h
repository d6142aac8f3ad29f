// Quantized convolutions as parts of joined nodes: their ends, and the node of a pointwise and a
// depthwise one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "planner/graph/rewrite.h"

namespace arenite::planner {

// Whether a node is a convolution of bytes to bytes with constant weights and ends, whose zero
// points are attributes.
bool is_plain_quantized_conv(const Graph& graph, const Node& node);

// Such a convolution that computes a value for one reader alone, and whose ends fit a uniform
// buffer.
struct ConvBefore {
  uint32_t conv;
  uint32_t transpose = kNoNode;  // of what it makes, as channels-last models have them
};
std::optional<ConvBefore> find_conv_before(Graph& graph, const Uses& uses, ValueId value);

// The nodes that take the place of a node, of the convolution and of the transpose before it.
struct JoinedConv {
  ConvBefore before;
  std::vector<Node> instead;
};
// The same graph with each node replaced for which `join` returns nodes; nothing where it never
// does.
using JoinConv = std::function<std::optional<JoinedConv>(Graph&, const Uses&, const Node&)>;
std::optional<Graph> with_joined_convs(const Graph& graph, const JoinConv& join);

// A constant [3, O] of such a convolution's biases, multipliers and shifts, to whose biases `added`
// come.
ValueId add_ends(Graph& graph, const Node& conv, const std::vector<int32_t>& added);

// The two in one node; taps are its weights [O, 1, KH, KW] in the order of the operator.
Node joined_integers(Graph& graph, const Node& pointwise, const Node& depthwise);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
