// Whether weights of 4 bits are so few that forms for them take more code than they save.
#pragma once

#include "core/form.h"
#include "planner/graph/graph.h"

namespace arenite::planner {

bool has_few_halves(const Graph& graph, OpTable ops);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
