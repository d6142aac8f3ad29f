// Operators that hand elements on as they are, so that integers may go through them in place of the
// numbers they stand for.
#pragma once

#include <optional>
#include <vector>

#include "planner/graph/graph.h"
#include "planner/passes/integers/scale.h"

namespace arenite::planner::quantize {

struct Move {
  std::vector<size_t> inputs;  // operands whose elements move
  bool moves_axes = false;     // each index of an axis may have a scale of its own
  bool is_larger = false;      // the result has fewer elements than what goes in
  bool has_result = true;      // output 0 holds such elements; else places of them alone
};

// Nothing for nodes that compute.
std::optional<Move> move_of(const Graph& graph, const Node& node);

// Whether the node takes integers of this type for what it moves.
bool takes(const Node& node, DType type);

// The scale of the node's output, where its input has the given one; nothing where the axis does
// not stay one.
std::optional<Quantization> moved_scale(const Graph& graph, const Node& node,
                                        const Quantization& from);

// Numbers in attributes and constant operands (what pad puts around) become integers: those of a
// quantize node, as it rounds, or those of a dequantize node, only where one stands for just that
// number. False where that cannot be; then the node may have changed.
bool quantize_numbers(const Graph& graph, Node& node, const Node& scaling);

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0
