// Puts in one item after the other at the offset with the lightest obstacles, and takes those out.
#include "planner/memory/pack/ejection_search.h"

#include <algorithm>

#include "planner/memory/pack/conflicts.h"

namespace arenite::memory {
namespace {

// The weight of a fixed item, which is never put out; others begin with at most 1.
constexpr double kNeverOut = 1e7;

// The weight that an item gains each time it is put out, as a part of its first weight.
constexpr double kHeavier = 0.1;

}  // namespace

EjectionSearch::EjectionSearch(const PackProblem& problem)
    : problem_(problem), neighbors_(problem.items.size()) {
  for (const Conflict& c : find_conflicts(problem, Detail::kItems)) {
    neighbors_[c.a].push_back({c.b, c.low, c.high});
    neighbors_[c.b].push_back({c.a, -c.high, -c.low});
  }
}

void EjectionSearch::run(uint64_t goal, uint64_t work_max, Random& random, Budget& budget,
                         Packing& best) {
  area_.clear();
  double largest = 1;
  for (const Item& item : problem_.items) {
    const double length = 1.0 + item.lifetime.last - item.lifetime.first;
    area_.push_back(static_cast<double>(item.size_bytes) * length);
    largest = std::max(largest, area_.back());
  }
  weight_.clear();
  for (std::size_t i = 0; i < area_.size(); ++i) {
    area_[i] /= largest;
    weight_.push_back(problem_.items[i].fixed ? kNeverOut : area_[i]);
  }
  uint64_t work_left = work_max;
  offset_ = best.offsets;
  while (best.height > goal && work_left > 0 && !budget.over()) {
    // A step down that leaves some slack, then smaller ones.
    const uint64_t height =
        std::max(goal, best.height - std::max<uint64_t>(1, (best.height - goal) / 8));
    offset_ = best.offsets;
    if (!fill(height, work_left, random, budget)) return;
    best.offsets = offset_;
    best.height = height_of(problem_, best.offsets);
    tell_progress(budget.watch(), best, "ejecting");
  }
}

bool EjectionSearch::fill(uint64_t height, uint64_t& work_left, Random& random, Budget& budget) {
  in_.assign(offset_.size(), true);
  out_.clear();
  for (uint32_t i = 0; i < offset_.size(); ++i) {
    if (offset_[i] + problem_.items[i].size_bytes <= height) continue;
    if (problem_.items[i].fixed || problem_.items[i].size_bytes > height) return false;
    in_[i] = false;
    out_.push_back(i);
  }
  for (uint32_t round = 0; !out_.empty(); ++round) {
    if (work_left == 0 || (round % 256 == 255 && budget.over())) return false;
    work_ = 0;
    const std::size_t k = random.below(out_.size());
    const uint32_t i = out_[k];
    out_[k] = out_.back();
    out_.pop_back();
    const std::optional<uint64_t> offset = least_in_the_way(i, height, random);
    if (!offset) return false;
    put(i, *offset);
    work_left -= std::min(work_left, work_);
    budget.spend(work_);
  }
  return true;
}

// Weights become sums of all up to there.
void EjectionSearch::sum_up(std::vector<Edge>& edges) {
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.at < b.at; });
  double sum = 0;
  for (Edge& edge : edges) edge.weight = sum += edge.weight;
}

std::optional<uint64_t> EjectionSearch::least_in_the_way(uint32_t i, uint64_t height,
                                                         Random& random) {
  const Item& item = problem_.items[i];
  const auto room = static_cast<int64_t>(height - item.size_bytes);
  const auto alignment = static_cast<int64_t>(item.alignment);
  begins_.clear();
  ends_.clear();
  candidates_.assign(1, 0);
  candidates_.push_back(static_cast<uint64_t>(room / alignment * alignment));
  for (const Neighbor& other : neighbors_[i]) {
    if (!in_[other.item]) continue;
    const auto at = static_cast<int64_t>(offset_[other.item]);
    begins_.push_back({at + other.low, weight_[other.item]});
    ends_.push_back({at + other.high, weight_[other.item]});
    if (const int64_t below = at + other.low; below >= 0 && below <= room) {
      candidates_.push_back(static_cast<uint64_t>(below / alignment * alignment));
    }
    if (const int64_t above = at + other.high; above >= 0 && above <= room) {
      const uint64_t up = align_up(static_cast<uint64_t>(above), item.alignment);
      if (up <= static_cast<uint64_t>(room)) candidates_.push_back(up);
    }
  }
  sum_up(begins_);
  sum_up(ends_);
  const auto sum_until = [](const std::vector<Edge>& edges, auto end) {
    return end == edges.begin() ? 0.0 : std::prev(end)->weight;
  };
  double least = kNeverOut / 2;
  std::optional<uint64_t> best;
  uint64_t ties = 0;
  for (const uint64_t candidate : candidates_) {
    const auto start = static_cast<int64_t>(candidate);
    const auto begun = std::lower_bound(begins_.begin(), begins_.end(), start,
                                        [](const Edge& e, int64_t at) { return e.at < at; });
    const auto ended = std::upper_bound(ends_.begin(), ends_.end(), start,
                                        [](int64_t at, const Edge& e) { return at < e.at; });
    const double cost = sum_until(begins_, begun) - sum_until(ends_, ended);
    if (cost > least || (cost == least && random.below(++ties) != 0)) continue;
    if (cost < least) ties = 1;
    least = cost;
    best = candidate;
  }
  work_ += 40 * begins_.size() + 100;
  return best;
}

void EjectionSearch::put(uint32_t i, uint64_t offset) {
  offset_[i] = offset;
  in_[i] = true;
  const auto start = static_cast<int64_t>(offset);
  for (const Neighbor& other : neighbors_[i]) {
    if (!in_[other.item]) continue;
    const auto at = static_cast<int64_t>(offset_[other.item]);
    if (start <= at + other.low || at + other.high <= start) continue;
    in_[other.item] = false;
    weight_[other.item] += kHeavier * area_[other.item];
    out_.push_back(other.item);
  }
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
