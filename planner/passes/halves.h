// Says which float32 values of a graph a device may keep in 16 bits (Value::half_will_do).
#pragma once

#include <string>

#include "planner/graph/graph.h"

namespace arenite::planner {

// Lets a device keep all float32 numbers of a graph that has been optimized in 16 bits; or none,
// not even those that a model has so.
void set_halves(Graph& graph, bool allowed);

// Keeps a value in float32, by the model's name for it. False where the graph has no such value;
// one inside a fused step is computed in float32 anyway.
bool keep_in_float32(Graph& graph, const std::string& name);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
