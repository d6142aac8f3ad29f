// Marks values as made, in the order of the nodes.
#include "planner/graph/whole.h"

#include <algorithm>

namespace arenite::planner {
namespace {

bool is_described(const Value& value) {
  if (value.constant != nullptr && value.constant->size() != value.dense_bytes()) return false;
  const std::optional<Quantization>& q = value.quantization;
  return !q || (q->dtype == value.dtype && q->scales.size() == q->zero_points.size() &&
                (q->axis ? q->scales.size() > 1 : q->scales.size() == 1));
}

}  // namespace

bool is_whole(const Graph& graph) {
  std::vector<bool> made;
  for (const Value& value : graph.values) made.push_back(value.constant != nullptr);
  const auto is_made = [&](ValueId id) { return id == kNoValue || (id < made.size() && made[id]); };
  const auto make = [&](ValueId id) {
    if (id == kNoValue) return true;
    if (id >= made.size() || made[id]) return false;
    made[id] = true;
    return true;
  };
  return std::ranges::all_of(graph.values, is_described) &&
         std::ranges::all_of(graph.inputs, make) &&
         std::ranges::all_of(graph.nodes,
                             [&](const Node& node) {
                               return std::ranges::all_of(node.inputs, is_made) &&
                                      std::ranges::all_of(node.outputs, make);
                             }) &&
         std::ranges::all_of(graph.outputs, is_made);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
