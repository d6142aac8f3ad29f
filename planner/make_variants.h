// Makes the variants of each method: steps with layouts, orders and machines, not yet a place.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "planner/emit/tables.h"
#include "planner/peak/reduction.h"
#include "planner/plan.h"
#include "planner/target_forms.h"
#include "planner/variant/partition.h"

namespace arenite::planner {

// What a variant was made from, to make it again.
struct VariantOrigin {
  const GraphLayout* layout = nullptr;
  size_t board_variant = 0;  // index in Board::variants
  BoardVariant wanted;
  TargetForms forms;
  ShaderSupport shaders;
  Optimize optimize = Optimize::kMemory;
  PeakPasses passes;
  bool changed = false;  // see ReducedVariant
  uint64_t plain_bytes = 0;
};

// A program while it is planned: first its variants are made, then placed (place_variants.h).
struct Planning {
  const PlanOptions& options;
  ConstantPool pool;
  std::deque<GraphLayout> layouts;
  std::vector<PlannedMethod> methods;
  PlanReport report;
  std::vector<VariantOrigin> origins;  // by variant, as report.variants
  uint64_t parts = 0;                  // for progress: each variant is made and placed
  uint64_t parts_done = 0;

  void begin(const char* what, const std::string& method, const Board& board);
};

// The variants of all methods for all boards. `graphs` has to outlive the planning. Nothing is
// added where a board's shaders support no step, and no variant for a richer CPU whose forms need
// no more than a plainer one has.
void make_variants(const std::vector<NamedGraph>& graphs, const TargetForms& forms,
                   const PeakPasses& passes, Planning& planning);

// The steps on their machines. Nothing where shaders are wanted and support none.
std::optional<VariantPlan> plan_of(const ReducedVariant& low, const VariantOrigin& origin,
                                   const Planning& planning);

// What of the CPU's features the steps' forms need.
CpuFeatures used_features(const VariantPlan& plan);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
