// Finds, among the entries switched on so far, those alive at any step of a given lifetime.
#include "planner/memory/time_index.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace arenite::memory {

TimeIndex::TimeIndex(std::span<const Lifetime> lifetimes)
    : by_birth_(lifetimes.size()),
      rank_(lifetimes.size()),
      leaves_(std::bit_ceil(std::max<std::size_t>(lifetimes.size(), 1))),
      latest_end_(2 * leaves_, 0) {
  std::iota(by_birth_.begin(), by_birth_.end(), 0U);
  std::stable_sort(by_birth_.begin(), by_birth_.end(),
                   [&](uint32_t a, uint32_t b) { return lifetimes[a].first < lifetimes[b].first; });
  births_.reserve(by_birth_.size());
  last_.reserve(by_birth_.size());
  for (uint32_t place = 0; place < by_birth_.size(); ++place) {
    rank_[by_birth_[place]] = place;
    births_.push_back(lifetimes[by_birth_[place]].first);
  }
  for (const Lifetime& lifetime : lifetimes) last_.push_back(uint64_t{lifetime.last} + 1);
}

void TimeIndex::switch_on(uint32_t entry) {
  for (std::size_t node = leaves_ + rank_[entry]; node >= 1; node /= 2) {
    latest_end_[node] = std::max(latest_end_[node], last_[entry]);
  }
}

bool TimeIndex::collect(Lifetime lifetime, std::size_t limit, std::vector<uint32_t>& found) const {
  found.clear();
  const auto end = std::upper_bound(births_.begin(), births_.end(), lifetime.last);
  const auto born = static_cast<std::size_t>(end - births_.begin());
  return collect_below(1, 0, {born, lifetime.first, limit}, found);
}

// `begin` is the place of the node's leftmost leaf.
bool TimeIndex::collect_below(std::size_t node, std::size_t begin, const Query& query,
                              std::vector<uint32_t>& found) const {
  if (begin >= query.end || latest_end_[node] <= query.first) return true;
  if (node >= leaves_) {
    found.push_back(by_birth_[begin]);
    return found.size() <= query.limit;
  }
  const std::size_t half = leaves_ >> static_cast<std::size_t>(std::bit_width(node));
  return collect_below(2 * node, begin, query, found) &&
         collect_below(2 * node + 1, begin + half, query, found);
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
