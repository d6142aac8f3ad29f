// The list of passes, and the loop that runs them.
#include "planner/passes/passes.h"

#include <algorithm>
#include <iterator>

#include "core/assert.h"
#include "planner/graph/names.h"
#include "planner/graph/own_sources.h"
#include "planner/graph/whole.h"
#include "planner/passes/integers/steps.h"

namespace arenite::planner {
namespace {

constexpr Pass kPasses[] = {
#define ARENITE_PASS(name, effect) {#name, effect, name},
#include "planner/passes/passes.def"
};

}  // namespace

std::span<const Pass> all_passes() { return kPasses; }

void optimize(Graph& graph, std::span<const std::string> disabled) {
  ARENITE_ASSERT(is_whole(graph));
  for (const Pass& pass : kPasses) {
    if (std::find(disabled.begin(), disabled.end(), pass.name) == disabled.end()) pass.run(graph);
  }
  quantize::count_float_steps(graph);
  keep_own_sources(graph);
}

void optimize(Graph& graph) { optimize(graph, {}); }

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
