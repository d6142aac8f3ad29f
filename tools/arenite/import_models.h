// Reads models with the options that were given for them.
#pragma once

#include <string>
#include <vector>

#include "planner/plan.h"
#include "support/progress.h"
#include "tools/arenite/model_options.h"

namespace arenite::tools {

struct ModelArguments {
  std::vector<std::string> paths;
  ModelOptions options;
  std::vector<std::string> disabled_passes;  // those of the graph are left out
  std::string weights;                 // "fp32", "fp16", "bf16", or empty: as models have them
  std::string precision;               // "fp32", "fp16", or empty: as models have it
  std::vector<std::string> kept_fp32;  // values that no device keeps in 16 bits
  std::string io_type;                 // "float", "native", or empty: as models have it
};

// Methods are called by their model's file name; one alone is "main". A dim of several sizes gives
// a method for each: "main[seq=64]" (tools/run/method_choice.h). Throws InputError, and
// ObstaclesError for what stands in the way in all models together.
std::vector<planner::NamedGraph> import_models(const ModelArguments& arguments,
                                               const ProgressHook& progress);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
