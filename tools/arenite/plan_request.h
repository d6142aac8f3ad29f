// The request of a plan, as `arenite plan` and other front ends share it.
#pragma once

#include <string>
#include <vector>

#include "planner/plan.h"
#include "tools/arenite/import_models.h"
#include "tools/arenite/options.h"

namespace arenite::tools {

struct PlanRequest {
  ModelArguments models;
  std::vector<std::string> boards;  // names or files; none: host
  std::string memory_planner{memory::name_of(memory::kDefaultAlgorithm)};
  std::string fallback = "reserve";
  std::string io = "planned";
  std::string constants = "in_place";
  std::string forms;     // empty: by the board
  std::string optimize;  // "speed", "memory", or empty: by the board
  std::string constraints;
  std::string assume_code;  // bytes, with a unit or without; empty: by the board's toolchain
  std::string image;        // "embedded", "harness", or empty: all that a board has
};

// Declares the models and all options that decide what the program is.
void add_plan_request(Options& options, PlanRequest& request);

// Finds the boards and reads the constraints. Throws InputError.
planner::PlanOptions options_of(const PlanRequest& request);

// planner::plan_graphs(), which throws a DoesNotFitError with advice.
planner::PlanResult plan_with_advice(const std::vector<planner::NamedGraph>& graphs,
                                     const planner::PlanOptions& options);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
