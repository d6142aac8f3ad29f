// Loop and Scan whose number of trips is known while planning: their bodies, once a trip.
#pragma once

#include "planner/import/onnx/conditional.h"

namespace arenite::planner {

// Imports the body as often as the trip count and the conditions say, which all have to be constant
// when they are asked: constants, or computed of constants and of the number of the trip. Outputs
// are unknown where a trip's are. Throws InputError where body and node do not match;
// UnsupportedError where a count or condition depends on inputs, or where the model grows past
// kUnrolledNodesMax nodes.
void unroll_loop(ImportState& state, const ModelNode& node, const ImportRow& row,
                 const ImportNodes& import);

// The same of a Scan: one trip for each element of its sequences, in opset 8 of each of a batch.
void unroll_scan(ImportState& state, const ModelNode& node, const ImportRow& row,
                 const ImportNodes& import);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
