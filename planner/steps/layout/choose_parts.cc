// Chooses the concatenations and pads to do in place, by the effect of each on the layout's peak.
#include <algorithm>

#include "planner/steps/layout/parts.h"

namespace arenite::planner {

uint64_t live_bytes_max(const LaidGraph& laid) {
  struct Life {
    size_t first = SIZE_MAX, last = 0;
  };
  std::vector<Life> lives(laid.schedule.storages.size());
  const auto use = [&](uint32_t storage, size_t n) {
    lives[storage].first = std::min(lives[storage].first, n);
    lives[storage].last = std::max(lives[storage].last, n);
  };
  for (size_t n = 0; n < laid.nodes.size(); ++n) {
    for (const auto* operands : {&laid.nodes[n].inputs, &laid.nodes[n].outputs}) {
      for (const std::optional<Operand>& operand : *operands) {
        if (operand.has_value() && !operand->constant) use(operand->index, n);
      }
    }
  }
  for (const uint32_t input : laid.schedule.inputs) use(input, 0);
  for (const uint32_t output : laid.schedule.outputs) {
    use(output, laid.nodes.empty() ? 0 : laid.nodes.size() - 1);
  }
  std::vector<int64_t> change(laid.nodes.size() + 2, 0);
  for (size_t i = 0; i < lives.size(); ++i) {
    if (lives[i].first == SIZE_MAX) continue;
    const auto bytes = static_cast<int64_t>(laid.schedule.storages[i].bytes);
    change[lives[i].first] += bytes;
    change[lives[i].last + 1] -= bytes;
  }
  int64_t live = 0, most = 0;
  for (const int64_t bytes : change) most = std::max(most, live += bytes);
  return static_cast<uint64_t>(most);
}

std::vector<uint32_t> choose_parts(const Graph& graph, const LaidGraph& laid,
                                   std::vector<uint32_t> nodes, const TargetForms& forms,
                                   bool for_bytes) {
  const auto peak_of = [&](const std::vector<uint32_t>& chosen) {
    return live_bytes_max(place_parts(graph, laid, chosen, forms).laid);
  };
  uint64_t least = peak_of(nodes);
  // Pads first: they must earn their place.
  std::vector<uint32_t> order = nodes;
  std::stable_partition(order.begin(), order.end(),
                        [&](uint32_t n) { return has_border(laid.nodes[n]); });
  for (const uint32_t n : order) {
    if (!for_bytes && !has_border(laid.nodes[n])) break;
    std::vector<uint32_t> without = nodes;
    without.erase(std::find(without.begin(), without.end(), n));
    const uint64_t peak = peak_of(without);
    if (peak > least || (peak == least && !has_border(laid.nodes[n]))) continue;
    least = peak;
    nodes = std::move(without);
  }
  return nodes;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
