// The weights of two products that make gates, as squeeze_excite and quantized_excite have them.
#pragma once

#include "planner/graph/graph.h"

namespace arenite::planner {

// A constant [2, R, C] of constants [R, C, 1, 1] and [C, R, 1, 1] of one type.
ValueId add_gate_weights(Graph& graph, ValueId first, ValueId second);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
