// Graphs of nodes, made part of the graph around them.
#pragma once

#include <map>
#include <string>

#include "planner/graph/graph_builder.h"
#include "planner/import/model/model.h"
#include "planner/import/model/op_context.h"

namespace arenite::planner {

// Refuses a condition that is no single bool.
void expect_condition(const OpContext& context, ValueId condition);

using Names = std::map<std::string, std::string>;  // new ones by old ones

// Returns the graph with all that it defines renamed: as `names` says, else to a name that is not
// taken. Names that it captures stay unless `names` has them.
Model with_own_names(const Model& graph, Names names, GraphBuilder& builder);

// Returns the branch of an If with names of its own: its results have those of the node's outputs,
// and nothing that it defines meets a name that is taken. Captured names stay. Throws InputError if
// the branch has inputs, or not as many outputs as the node.
Model inlined_branch(const Model& branch, const ModelNode& node, GraphBuilder& builder);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
