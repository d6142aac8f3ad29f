// The pass that computes with integers.
#pragma once

#include "planner/graph/graph.h"

namespace arenite::planner {

// Makes operators of integers of the operators of floats between dequantize and quantize.
void fuse_quantization(Graph& graph);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
