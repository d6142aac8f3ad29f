// The option that makes a value known while planning.
#pragma once

#include <string>

#include "planner/graph/graph.h"

namespace arenite::planner {

// ", or --fix sr=..." where the value is computed from inputs that choose or count alone: numbers
// without dims, lists of integers or bools; "" where it follows from data.
std::string fix_advice(const Graph& graph, ValueId value);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
