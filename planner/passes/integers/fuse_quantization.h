// The pass that computes with integers.
#pragma once

#include "planner/graph/graph.h"

namespace arenite::planner {

// What is computed between dequantize and quantize becomes operators of integers.
void fuse_quantization(Graph& graph);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
