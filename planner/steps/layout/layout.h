// Decides how each value lies in memory, which nodes are views, and where a copy is unavoidable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/graph/graph.h"
#include "planner/graph/target_forms.h"
#include "planner/steps/schedule/schedule.h"

namespace arenite::planner {

// A node with the places of its operands. A view's output lies in its input's storage.
struct LaidNode {
  Node node;
  bool view = false;
  std::vector<std::optional<Operand>> inputs, outputs;
};

// A node that the model does not have, for what the nodes of `sources` do.
LaidNode copy_node(const Operand& from, const Operand& to, std::vector<std::string> sources);

struct LaidGraph {
  Schedule schedule;  // without steps: each storage is what a kernel or a copy writes, or an input
  std::vector<LaidNode> nodes;
  // Constants that the graph does not have: those that an operand's index counts on to after the
  // graph's values.
  std::vector<Value> constants;
};

// Lays the graph out as the contracts' layout classes say. Spatial operators produce channels-last,
// matrix products row-major, others follow their first full-rank input; the model's inputs and
// outputs are row-major. Transposes, slices with positive steps and reshapes whose strides allow it
// become views, whose data start where the forms that read them want it. A reshape that is no view
// makes its producer write row-major if that helps and no spatial operator reads it; else a copy is
// added. Outputs without row-major bytes of their own get a copy.
LaidGraph lay_out(const Graph& graph, const TargetForms& forms);

// T of a laid node's operator.
DType type_of_node(const LaidNode& node);
// The forms that the node is likely to be planned with.
StepForms likely_forms(const TargetForms& forms, const LaidNode& node);

// Whether an operator works pixel by pixel, over all channels of each.
bool is_spatial(Op op);

// The value that a constant's index means.
const Value& constant_of(const Graph& graph, const LaidGraph& laid, uint32_t index);

// "row-major", "channels-last", or the strides.
std::string layout_name(const Strided& form);

// Names a node for people: the model's nodes it stands for.
std::string node_name(const Node& node);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
