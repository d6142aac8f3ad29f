// Places the variants of all methods in the memories of their boards.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/memory/report.h"
#include "planner/options.h"
#include "planner/place/near_constants.h"
#include "planner/place/shortage.h"
#include "planner/steps/candidates.h"

namespace arenite::planner {

// The better of a variant's candidates, placed.
struct PlacedVariant {
  const Board* board = nullptr;
  const BoardVariant* wanted = nullptr;  // of the board
  Optimize optimize = Optimize::kMemory;
  bool reserves_fallback = false;
  Schedule plan;
  memory::MemoryReport memories;
  PeakReport lowering;
  std::vector<ExplainedStep> explained;
  TargetForms forms;  // that it was made with
  StepRecipe recipe;
  NearConstants near_constants;
  uint64_t fallback_bytes = 0;  // what living inputs cost: peaks with less peaks without
  // Features that a machine must have; nothing: it may lack all, and runs references then.
  std::optional<CpuFeatures> cpu_features;
};

struct PlacedMethods {
  std::vector<std::vector<PlacedVariant>> variants;  // as the candidates': by method
  std::vector<Shortage> shortages;
};

// Places each variant once, those of methods whose tensors a user ties together. It places a
// variant again only if
//   1. fewer bytes live at once in its candidate `low` but it takes more: the candidate `plain`;
//   2. its board has measured costs and fewest bytes are wanted: as costs would have it;
//   3. it does not fit: in the least memory that would do (place/least_memory.h).
PlacedMethods place_variants(std::vector<UnplacedMethod> methods, const PlanOptions& options,
                             ConstantPool& pool, PlanProgress& progress);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
