// Loop and Scan: their bodies, once for each trip that there may be.
#pragma once

#include "planner/import/onnx/conditional.h"

namespace arenite::planner {

// Imports the body as often as the trip count and the conditions say, where they are constants or
// computed of constants and of the number of the trip; else as often as --max-trips says, and a run
// goes over the trips that it does not make. Stacked outputs have a count then. Outputs are unknown
// where a trip's are. Throws InputError where body and node do not match; UnsupportedError where
// nothing says how many trips there are at most, or where the model grows past kUnrolledNodesMax
// nodes.
void unroll_loop(ImportState& state, const ModelNode& node, const ImportRow& row,
                 const ImportNodes& import);

// The same of a Scan: one trip for each element of its sequences, in opset 8 of each of a batch.
void unroll_scan(ImportState& state, const ModelNode& node, const ImportRow& row,
                 const ImportNodes& import);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
