// The rules of a graph that all stages after import rely on, as one question for asserts.
#pragma once

#include "planner/graph/graph.h"

namespace arenite::planner {

// Whether
//   1. each value is made once: it is an input, a constant, or the output of one node;
//   2. a node reads what was made before it, and the outputs are made;
//   3. a constant has all its bytes, and a quantization is one of the value's type.
bool is_whole(const Graph& graph);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
