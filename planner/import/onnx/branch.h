// The branch of an If whose condition is known, made part of the graph around it.
#pragma once

#include "planner/graph/graph_builder.h"
#include "planner/import/model/model.h"

namespace arenite::planner {

// Returns the branch with names of its own: its results have those of the node's outputs, and
// nothing that it defines meets a name that is taken. Captured names stay. Throws InputError if the
// branch has inputs, or not as many outputs as the node.
Model inlined_branch(const Model& branch, const ModelNode& node, GraphBuilder& builder);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
