// Finds offsets in one memory: parts that never meet in time are packed one by one.
#include "planner/memory/pack.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "planner/memory/budget.h"
#include "planner/memory/live_sets.h"
#include "planner/memory/pack_bound.h"
#include "planner/memory/pack_part.h"

namespace arenite::memory {
namespace {

// Items that are connected through shared steps.
struct Part {
  PackProblem problem;
  std::vector<uint32_t> items;  // of the whole
  uint64_t bound = 0;
};

// The part of each item: a part ends with a live set that no item outlives.
std::vector<uint32_t> number_parts(const PackProblem& problem, const LiveSets& sets) {
  std::vector<uint32_t> reach(sets.count, 0);  // last set of any item that starts here
  for (uint32_t i = 0; i < problem.items.size(); ++i) {
    if (sets.holds(i)) reach[sets.first[i]] = std::max(reach[sets.first[i]], sets.last[i]);
  }
  std::vector<uint32_t> part_of_set(sets.count, 0);
  uint32_t part = 0;
  uint32_t furthest = 0;
  for (uint32_t s = 0; s < sets.count; ++s) {
    part_of_set[s] = part;
    furthest = std::max(furthest, reach[s]);
    if (furthest == s) ++part;
  }
  std::vector<uint32_t> part_of_item(problem.items.size(), 0);
  for (uint32_t i = 0; i < part_of_item.size(); ++i) {
    if (sets.holds(i)) part_of_item[i] = part_of_set[sets.first[i]];
  }
  return part_of_item;
}

std::vector<Part> split(const PackProblem& problem) {
  const std::vector<uint32_t> part_of_item = number_parts(problem, find_live_sets(problem.items));
  uint32_t count = 1;
  for (const uint32_t part : part_of_item) count = std::max(count, part + 1);
  std::vector<Part> parts(count);
  std::vector<uint32_t> index(problem.items.size());
  for (uint32_t i = 0; i < problem.items.size(); ++i) {
    Part& part = parts[part_of_item[i]];
    index[i] = static_cast<uint32_t>(part.items.size());
    part.items.push_back(i);
    part.problem.items.push_back(problem.items[i]);
  }
  for (const PackOverlap& overlap : problem.overlaps) {
    // An item without bytes shares none.
    if (part_of_item[overlap.input] != part_of_item[overlap.output]) continue;
    parts[part_of_item[overlap.input]].problem.overlaps.push_back(
        {index[overlap.input], index[overlap.output], overlap.lead_bytes});
  }
  for (Part& part : parts) {
    part.problem.capacity_bytes = problem.capacity_bytes;
    part.bound = pack_bound(part.problem, find_live_sets(part.problem.items));
  }
  return parts;
}

uint64_t work_of(const PackProblem& problem, const PackLimits& limits) {
  if (limits.work_max != kWorkBySize) return limits.work_max;
  constexpr uint64_t kWorkMax = 400'000'000;
  constexpr uint64_t kWorkPerPair = 5'000;
  const uint64_t count = std::min<uint64_t>(problem.items.size(), 1000);
  return std::min(kWorkMax, kWorkPerPair * count * count);
}

}  // namespace

void tell_progress(const Watch* watch, const Packing& best, const char* doing) {
  if (watch == nullptr || !watch->progress) return;
  watch->progress(std::string(doing) + ": height " + std::to_string(best.height) +
                      ", lower bound " + std::to_string(best.lower_bound),
                  0, 0);
}

bool PackProblem::has_gaps() const {
  return std::any_of(items.begin(), items.end(), [](const PackItem& item) { return !item.solid; });
}

Packing pack(const PackProblem& problem, const PackLimits& limits) {
  Packing whole{std::vector<uint64_t>(problem.items.size(), 0), 0, 0};
  std::vector<Part> parts = split(problem);
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.bound > b.bound; });
  Budget budget(work_of(problem, limits), limits.watch);
  for (const Part& part : parts) {
    // No part needs to be lower than what another one takes anyway.
    const uint64_t goal = std::max({whole.height, whole.lower_bound, part.bound});
    const Packing packing = pack_part(part.problem, goal, limits, budget);
    for (std::size_t i = 0; i < part.items.size(); ++i) {
      whole.offsets[part.items[i]] = packing.offsets[i];
    }
    whole.height = std::max(whole.height, packing.height);
    whole.lower_bound = std::max(whole.lower_bound, packing.lower_bound);
  }
  return whole;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
