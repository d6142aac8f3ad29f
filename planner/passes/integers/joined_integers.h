// The node of a quantized pointwise convolution and the depthwise one behind it.
#pragma once

#include "planner/graph/rewrite.h"

namespace arenite::planner {

// Whether a node is a convolution of bytes to bytes with constant weights and ends, whose zero
// points are attributes.
bool is_plain_quantized_conv(const Graph& graph, const Node& node);

// The two in one node; taps are its weights [O, 1, KH, KW] in the order of the operator.
Node joined_integers(Graph& graph, const Node& pointwise, const Node& depthwise);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
