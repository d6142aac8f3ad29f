// Batch normalization behind a convolution becomes part of its weights, as exports for inference
// have it: integers are scaled once then.
#pragma once

#include "planner/quantizer/model_editor.h"

namespace arenite::planner::quantizer {

// Returns whether anything changed.
bool fold_batch_normalization(ModelEditor& model);

}  // namespace arenite::planner::quantizer
// SPDX-License-Identifier: Apache-2.0
