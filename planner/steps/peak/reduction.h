// Lowers the peak of a variant, and says what each pass saved.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/passes/switches.h"
#include "planner/steps/decide/decide.h"
#include "planner/steps/layout/parts.h"
#include "planner/steps/peak/recipe.h"
#include "planner/steps/peak/reduction_report.h"
#include "planner/steps/variant/overlaps.h"
#include "planner/steps/variant/partition.h"

namespace arenite::planner {

// The passes among these that let outputs overlap inputs.
OverlapPasses overlap_passes(const PeakPasses& passes);

// Most bytes live at one node of the graph in its native order: inputs from the start, outputs to
// the end, neither scratch nor over-read; what may be a view owns nothing.
uint64_t baseline_live_bytes(const Graph& graph);

// A method's graph laid out once for all its variants.
struct GraphLayout {
  const Graph* graph = nullptr;
  LaidGraph laid;
  std::vector<uint32_t> parts_in_place;  // nodes, see choose_parts
};

GraphLayout lay_out_parts(const Graph& graph, const TargetForms& forms, const PeakPasses& passes);

// A variant's steps in one layout and order.
struct ReducedSteps {
  Schedule schedule;
  PeakReport report;  // all but what the placement decides
  std::vector<ExplainedStep> explained;
  StepRecipe recipe;  // not of inputs that are copied first
};

struct ReducedVariant {
  ReducedSteps low;  // in which the fewest bytes live, or that copy least (parts_for_bytes)
  std::optional<ReducedSteps> plain;  // as no pass would have them, where `low` is not that
  uint64_t plain_bytes = 0;           // `plain` is worth a look where `low` takes more, once placed
};

ReducedVariant reduce_peak(const GraphLayout& layout, const Target& target, ConstantPool& pool,
                           const PeakPasses& passes);

// The steps of a graph as the recipe has them, of a graph with the same nodes. Throws InputError
// where they would be other steps.
Schedule remade_steps(const Graph& graph, const StepRecipe& recipe, Target target,
                      ConstantPool& pool);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
