// Decides how each value lies in memory, which nodes are views, and where a copy is unavoidable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/graph/graph.h"
#include "planner/graph/strides.h"
#include "planner/graph/target_forms.h"

namespace arenite::planner {

// Something that owns bytes of an arena: an input, a kernel's result or a copy.
struct Owner {
  std::string name;
  DType dtype = DType::kNone;
  Strided form;  // dense, offset 0
};

// A value's elements: in an owner's bytes or in those of a constant.
struct Placed {
  bool constant = false;
  uint32_t index = 0;  // of the owner, or of the constant: see constant_of
  Strided form;        // the value's logical dims
};

// A node with the places of its operands. A view's output lies in its input's owner.
struct LaidNode {
  Node node;
  bool view = false;
  std::vector<std::optional<Placed>> inputs, outputs;
};

// A copy that the model does not have.
struct InsertedCopy {
  std::string node;      // for which it was put in, or "output"
  std::string argument;  // the value that is copied
  std::string from, to;  // layouts
};

// A node that the model does not have, for what the nodes of `sources` do.
LaidNode copy_node(const Placed& from, const Placed& to, std::vector<std::string> sources);

struct LaidGraph {
  std::vector<Owner> owners;
  std::vector<LaidNode> nodes;
  std::vector<uint32_t> inputs, outputs;  // owners, row-major, in the graph's order
  std::vector<InsertedCopy> copies;
  // Constants that the graph does not have: those that Placed::index counts on to after the
  // graph's values.
  std::vector<Value> constants;
};

// Lays the graph out as the contracts' layout classes say. Spatial operators produce channels-last,
// matrix products row-major, others follow their first full-rank input; the model's inputs and
// outputs are row-major. Transposes, slices with positive steps and reshapes whose strides allow it
// become views, whose data start where the forms that read them want it. A reshape that is no view
// makes its producer write row-major if that helps and no spatial operator reads it; else a copy is
// added. Outputs that own no row-major bytes of their own get a copy.
LaidGraph lay_out(const Graph& graph, const TargetForms& forms);

// T of a laid node's operator.
DType type_of_node(const Graph& graph, const LaidGraph& laid, const LaidNode& node);
// The forms that the node is likely to be planned with.
StepForms likely_forms(const TargetForms& forms, const Graph& graph, const LaidGraph& laid,
                       const LaidNode& node);

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
