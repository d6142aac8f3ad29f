// Walks from a value back to the inputs that it is computed from.
#include "planner/import/model/fix_advice.h"

#include <algorithm>
#include <set>

#include "support/printable.h"

namespace arenite::planner {
namespace {

bool chooses_or_counts(const Value& input) {
  if (input.elements() == 1) return true;
  const bool whole =
      input.dtype == DType::kBool || input.dtype == DType::kInt32 || input.dtype == DType::kInt64;
  return whole && input.dims.size() <= 1;
}

}  // namespace

std::string fix_advice(const Graph& graph, ValueId value) {
  std::set<ValueId> behind = {value};
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    const bool makes = std::any_of(node->outputs.begin(), node->outputs.end(),
                                   [&](ValueId output) { return behind.contains(output); });
    if (makes) behind.insert(node->inputs.begin(), node->inputs.end());
  }
  std::string advice;
  for (const ValueId id : graph.inputs) {
    if (!behind.contains(id)) continue;
    const Value& input = graph.values[id];
    if (!chooses_or_counts(input)) return "";
    advice += (advice.empty() ? ", or --fix " : " --fix ") + printable(input.name) + "=...";
  }
  return advice;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
