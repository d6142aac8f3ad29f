// Quantized convolutions as parts of joined nodes: their ends, and the node of a pointwise and a
// depthwise one.
#pragma once

#include <cstdint>
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

// A constant [3, O] of such a convolution's biases, multipliers and shifts, to whose biases `added`
// come.
ValueId add_ends(Graph& graph, const Node& conv, const std::vector<int32_t>& added);

// The two in one node; taps are its weights [O, 1, KH, KW] in the order of the operator.
Node joined_integers(Graph& graph, const Node& pointwise, const Node& depthwise);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
