// Makes the candidates of each variant: its steps in the layouts, orders and machines that may be
// best, not yet a place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/graph/target_forms.h"
#include "planner/options.h"
#include "planner/steps/lower/constants.h"
#include "planner/steps/peak/reduction.h"
#include "planner/steps/schedule/schedule.h"

namespace arenite::planner {

// The steps of a variant in one layout and order.
struct VariantCandidate {
  Schedule plan;
  PeakReport lowering;  // all but what the placement decides
  std::vector<ExplainedStep> explained;
  StepRecipe recipe;
};

// A variant whose placement decides between candidates.
struct UnplacedVariant {
  const Board* board = nullptr;
  size_t board_variant = 0;  // index in Board::variants
  Optimize optimize = Optimize::kMemory;
  TargetForms forms;
  OverlapPasses overlaps;
  bool reserves_fallback = false;
  bool has_symbols = false;               // dims are those for the most of each
  VariantCandidate low;                   // in which the fewest bytes live at once
  std::optional<VariantCandidate> plain;  // in the native layout and order, where that differs
  uint64_t plain_bytes = 0;               // `plain` is worth a look where others take more
  // For fewest bytes: as measured costs would have it, to be taken where it needs no more than the
  // others, which are made without them.
  std::optional<VariantCandidate> measured;
};

struct UnplacedMethod {
  std::string method;
  std::vector<UnplacedVariant> variants;  // by board, in order of preference
  std::vector<std::string> notes;         // variants that are left out
};

// Tells how far a plan is: each variant is made, and placed.
class PlanProgress {
 public:
  PlanProgress(const PlanOptions& options, size_t methods);
  void begin(const char* what, const std::string& method, const Board& board);

 private:
  const ProgressHook& hook_;
  uint64_t parts_ = 0;
  uint64_t done_ = 0;
};

// The variants of all methods for all boards. Nothing is added where a board's shaders support no
// step, and no variant for a richer CPU whose forms need no more than a plainer one has.
std::vector<UnplacedMethod> make_candidates(const std::vector<NamedGraph>& graphs,
                                            const PlanOptions& options, const TargetForms& forms,
                                            const PeakPasses& passes, ConstantPool& pool,
                                            PlanProgress& progress);

// The steps of a variant again, of its method's graph with other dims; those of a CPU variant
// without their scratch memory. Throws InputError where they would be other steps.
Schedule remade_variant(const Graph& graph, const Board& board, const TargetForms& forms,
                        const StepRecipe& recipe, bool caller_io, ConstantPool& pool);

// Returns the CPU features that the steps' forms need.
CpuFeatures used_features(const Schedule& plan);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
