// Puts quantize and dequantize nodes into a model, and integers in the place of its weights.
#pragma once

#include <map>
#include <string>

#include "planner/quantizer/model_editor.h"
#include "planner/quantizer/placement.h"
#include "planner/quantizer/statistics.h"

namespace arenite::planner::quantizer {

// A tensor after it was quantized.
struct Quantized {
  std::string dequantized;  // the tensor that has its place
  Scaled scale;
};

// Scales of all tensors and constants of `placement`, those that share one having the same.
std::map<std::string, Scaled> scales_of(const ModelEditor& model, const Placement& placement,
                                        const Statistics& statistics);

// Rewrites the model. With `correct`, biases are moved by the mean error of the weights. The
// run-time tensors by their names.
std::map<std::string, Quantized> rewrite(ModelEditor& model, const Placement& placement,
                                         const Statistics& statistics, bool correct);

}  // namespace arenite::planner::quantizer
// SPDX-License-Identifier: Apache-2.0
