// The height below which no packing of one memory can go.
#include "planner/memory/pack_bound.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "planner/memory/items.h"

namespace arenite::memory {
namespace {

// For each live set the bytes that the overlaps in it can save at most. The two sides of an overlap
// live together at one step only, and so in one set only.
std::vector<uint64_t> savings(const PackProblem& problem, const LiveSets& sets) {
  struct Shared {
    uint64_t inputs_bytes = 0;
    int64_t lead_bytes = INT64_MAX;
  };
  std::map<uint32_t, Shared> outputs;
  for (const PackOverlap& overlap : problem.overlaps) {
    Shared& shared = outputs[overlap.output];
    shared.inputs_bytes += problem.items[overlap.input].size_bytes;
    shared.lead_bytes = std::min(shared.lead_bytes, overlap.lead_bytes);
  }
  std::vector<uint64_t> saved(sets.count, 0);
  for (const auto& [output, shared] : outputs) {
    if (!sets.holds(output)) continue;
    saved[sets.first[output]] +=
        shared_bytes_max(problem.items[output].size_bytes, shared.inputs_bytes, shared.lead_bytes);
  }
  return saved;
}

// The largest padding of an item in each set.
std::vector<uint64_t> largest_paddings(const PackProblem& problem, const LiveSets& sets,
                                       uint64_t unit) {
  std::vector<uint64_t> largest(sets.count, 0);
  if (unit == 1) return largest;
  std::vector<std::vector<uint64_t>> come(sets.count + 1), go(sets.count + 1);
  for (uint32_t i = 0; i < problem.items.size(); ++i) {
    const uint64_t size = problem.items[i].size_bytes;
    if (!sets.holds(i) || size % unit == 0) continue;
    come[sets.first[i]].push_back(align_up(size, unit) - size);
    go[sets.last[i] + 1].push_back(align_up(size, unit) - size);
  }
  std::multiset<uint64_t> live;
  for (uint32_t s = 0; s < sets.count; ++s) {
    live.insert(come[s].begin(), come[s].end());
    for (const uint64_t padding : go[s]) live.erase(live.find(padding));
    if (!live.empty()) largest[s] = *live.rbegin();
  }
  return largest;
}

}  // namespace

std::vector<uint64_t> set_bytes(const PackProblem& problem, const LiveSets& sets, uint64_t unit) {
  // Sums modulo 2^64 are right at every set, whatever they pass on the way.
  std::vector<uint64_t> bytes(sets.count + 1, 0);
  for (uint32_t i = 0; i < problem.items.size(); ++i) {
    if (!sets.holds(i)) continue;
    const uint64_t size = align_up(problem.items[i].size_bytes, unit);
    bytes[sets.first[i]] += size;
    bytes[sets.last[i] + 1] -= size;
  }
  std::partial_sum(bytes.begin(), bytes.end(), bytes.begin());
  bytes.pop_back();
  return bytes;
}

uint64_t shared_bytes_max(uint64_t output_bytes, uint64_t inputs_bytes, int64_t lead_bytes) {
  const auto lead = static_cast<uint64_t>(std::max<int64_t>(lead_bytes, 0));
  return std::min(inputs_bytes, output_bytes - std::min(lead, output_bytes));
}

uint64_t pack_bound(const PackProblem& problem, const LiveSets& sets) {
  uint64_t unit = 0;
  uint64_t bound = 0;
  for (const PackItem& item : problem.items) {
    unit = std::gcd(unit, item.alignment);
    if (!item.fixed_offset) continue;
    unit = std::gcd(unit, *item.fixed_offset);
    bound = std::max(bound, *item.fixed_offset + item.size_bytes);
  }
  unit = std::max<uint64_t>(unit, 1);
  const std::vector<uint64_t> saved = savings(problem, sets);
  const std::vector<uint64_t> bytes = set_bytes(problem, sets, 1);
  const std::vector<uint64_t> padded = set_bytes(problem, sets, unit);
  const std::vector<uint64_t> padding = largest_paddings(problem, sets, unit);
  for (uint32_t s = 0; s < sets.count; ++s) {
    // Padding is no bound where items share bytes: it may be what is shared.
    bound = std::max(bound, saved[s] == 0 ? padded[s] - padding[s] : bytes[s] - saved[s]);
  }
  return bound;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
