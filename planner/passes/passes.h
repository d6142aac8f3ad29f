// The rewrites of the graph, one file and one row of passes.def each; optimize() runs them in that
// order.
#pragma once

#include <span>
#include <string>

#include "planner/graph/graph.h"

namespace arenite::planner {

struct Pass {
  const char* name;    // of its switch and its file
  const char* effect;  // one line for --help and reports
  void (*run)(Graph& graph);
};

std::span<const Pass> all_passes();

#define ARENITE_PASS(name, effect) void name(Graph& graph);
#include "planner/passes/passes.def"

// Runs all passes.
void optimize(Graph& graph);

// The same without the passes named, which switches_of() found to be passes.
void optimize(Graph& graph, std::span<const std::string> disabled);

// For `graph`, which is `like` before its passes with other dims: lets passes choose as they did
// for that.
void choose_as_for(const Graph& like, Graph& graph);

// Converts the constant weights of convolutions and matrix products, of a graph that has been
// optimized, to float32, float16 or bfloat16; they are widened as they are read. Throws InputError
// where a weight is too large for the type.
void store_weights(Graph& graph, DType type);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
