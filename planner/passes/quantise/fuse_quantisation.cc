// Quantised models run on integers: what is computed between dequantize and quantize becomes
// operators of integers.
#include "planner/passes/passes.h"
#include "planner/passes/quantise/steps.h"

namespace arenite::planner {

void fuse_quantisation(Graph& graph) {
  remove_identities(graph);
  merge_equal_scales(graph);
  sink_dequantize(graph);
  raise_quantize(graph);
  merge_equal_scales(graph);
  cancel_scales(graph);
  compute_constants(graph, true);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
