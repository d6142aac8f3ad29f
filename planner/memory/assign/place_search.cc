// Chooses memories, packs each, forbids the choice that did not pack by a cut, and repeats.
#include "planner/memory/assign/place_search.h"

#include <algorithm>
#include <numeric>

#include "planner/memory/assign/assign.h"
#include "planner/memory/assign/members.h"
#include "planner/memory/greedy/linear_scan.h"
#include "planner/memory/problem/items.h"

namespace arenite::memory {

namespace {

constexpr int kCutRounds = 12;    // assignments tried again with what did not pack cut off
constexpr int kShrinkRounds = 8;  // and then with less room in the memories that did not pack
constexpr uint64_t kQuickWork = 2'000'000;  // steps of a packing that only has to tell if it fits
constexpr uint64_t kLastWork = 20'000'000;  // steps of the last packing of each of several memories
// From so many items on, not all orders of the portfolio are packed (pack.cc), so that greedy goes
// first. It gets so much work at most, about a nanosecond each.
constexpr std::size_t kGreedyFirstMin = 80'000;
constexpr uint64_t kGreedyWork = 25'000'000'000;  // all pairs of 220,000
constexpr int kCutTries = 32;  // packings that fail, spent on making cuts smaller

// A plan that is packed, and what it costs.
struct Packed {
  ItemPlan plan;
  double cost = kNotAllowed;
  uint64_t height = 0;  // sum of the peaks
  bool fits() const { return !plan.first_unplaced.has_value(); }
};

class PlaceSearch {
 public:
  PlaceSearch(const CheckedProblem& problem, const PlaceLimits& limits)
      : problem_(problem),
        items_(problem.items()),
        limits_(limits),
        blocks_are_exact_(items_are_exact(problem)),
        assigning_(make_assign_problem(problem)),
        work_left_(assign_work(limits)) {}

  ItemPlan run() {
    if (assigning_.memories() == 1) return place_in_one();
    const Packed scanned = judged(linear_scan(problem_));
    std::optional<ItemPlan> greedy = try_greedy_by_size(problem_, limits_.pack.watch, UINT64_MAX);
    best_ = greedy ? judged(std::move(*greedy)) : scanned;
    cut_and_repeat();
    shrink_and_repeat();
    if (!ended()) pack_lower();
    // A search that got no further must end no worse than this.
    if (scanned.fits()) take_if_better(scanned);
    return std::move(best_.plan);
  }

 private:
  // A caller in a hurry while packing is in a hurry here too.
  static uint64_t assign_work(const PlaceLimits& limits) {
    if (limits.pack.work_max == PackLimits{}.work_max) return limits.assign_work_max;
    return std::min(limits.assign_work_max,
                    16 * std::min(limits.pack.work_max, limits.assign_work_max));
  }

  ItemPlan place_in_one() {
    const Watch::Clock::time_point start = Watch::Clock::now();
    best_ = judged(linear_scan(problem_));
    const Watch::Clock::duration scan = Watch::Clock::now() - start;
    if (items_.size() >= kGreedyFirstMin || has_deadline()) try_greedy();
    if (no_time_to_pack(scan)) return std::move(best_.plan);
    Packed packed = pack_all(std::vector<uint32_t>(items_.size(), 0), limits_.pack);
    if (!lower(best_, packed)) return std::move(packed.plan);
    best_.plan.lower_bounds = packed.plan.lower_bounds;
    return std::move(best_.plan);
  }

  // Whether the first is the better one in one memory.
  static bool lower(const Packed& a, const Packed& b) {
    return a.fits() == b.fits() ? a.height < b.height : a.fits();
  }

  bool has_deadline() const {
    return limits_.pack.watch != nullptr && limits_.pack.watch->deadline.has_value();
  }

  // Runs greedy in half of the time, with as much work as without a limit. For very many items this
  // comes before any order of the portfolio is packed (bench/time_limit).
  void try_greedy() {
    Watch watch;
    if (limits_.pack.watch != nullptr) watch = *limits_.pack.watch;
    const Watch::Clock::time_point now = Watch::Clock::now();
    if (watch.deadline) watch.deadline = now + (*watch.deadline - now) / 2;
    std::optional<ItemPlan> greedy = try_greedy_by_size(problem_, &watch, kGreedyWork);
    if (!greedy) return;
    Packed packed = judged(std::move(*greedy));
    if (lower(packed, best_)) best_ = std::move(packed);
  }

  // Packing looks at the clock once it has its tables, which take about as long as some linear
  // scans.
  bool no_time_to_pack(Watch::Clock::duration scan) const {
    constexpr int kScansOfTables = 4;
    if (ended()) return true;
    return has_deadline() &&
           Watch::Clock::now() + kScansOfTables * scan >= *limits_.pack.watch->deadline;
  }

  bool ended() const { return stopped(limits_.pack.watch); }

  Packed judged(ItemPlan plan) const {
    Packed packed{std::move(plan), 0, 0};
    std::vector<uint64_t> peaks(problem_.memories().size(), 0);
    for (uint32_t i = 0; i < items_.size(); ++i) {
      const Placement& at = packed.plan.placements[i];
      packed.cost += assigning_.cost_in(i, at.memory);
      peaks[at.memory] = std::max(peaks[at.memory], at.offset + items_[i].size_bytes);
    }
    packed.height = std::accumulate(peaks.begin(), peaks.end(), uint64_t{0});
    return packed;
  }

  void take_if_better(Packed packed) {
    if (best_.fits() && !packed.fits()) return;
    const bool first_fit = packed.fits() && !best_.fits();
    const double tie = 1e-9 * std::abs(best_.cost);
    const bool cheaper = packed.cost < best_.cost - tie;
    const bool lower = packed.cost <= best_.cost + tie && packed.height < best_.height;
    if (first_fit || cheaper || lower) best_ = std::move(packed);
  }

  // The packing of some items in one memory, `members` by index of item.
  Packing pack_members(std::span<const uint32_t> members, uint32_t memory, uint64_t capacity,
                       const PackLimits& limits) const {
    PackProblem made = pack_problem_of(problem_, members, memory);
    made.capacity_bytes = capacity;
    made.blocks_are_exact = blocks_are_exact_;
    return pack(std::move(made), limits);
  }

  std::vector<uint32_t> members_of(const std::vector<uint32_t>& memory_of, uint32_t memory) const {
    std::vector<uint32_t> members;
    for (uint32_t i = 0; i < items_.size(); ++i) {
      if (memory_of[i] == memory) members.push_back(i);
    }
    return members;
  }

  bool packs(std::span<const uint32_t> members, uint32_t memory) const {
    const uint64_t capacity = assigning_.capacities[memory];
    return pack_members(members, memory, capacity, quick()).height <= capacity;
  }

  // The caller's limits, with less work where there is to be less.
  PackLimits limited(uint64_t work_max) const {
    PackLimits limits = limits_.pack;
    const bool by_default = limits.work_max == PackLimits{}.work_max;
    limits.work_max = by_default ? work_max : std::min(limits.work_max, work_max);
    return limits;
  }
  PackLimits quick() const { return limited(kQuickWork); }

  // Packs every memory; overflow is left where it is. Low first, then, where that is above the
  // memory's end, just below the end.
  Packed pack_all(const std::vector<uint32_t>& memory_of, const PackLimits& limits) const {
    ItemPlan plan{std::vector<Placement>(items_.size()), std::nullopt};
    plan.lower_bounds.resize(problem_.memories().size(), 0);
    for (uint32_t m = 0; m < problem_.memories().size(); ++m) {
      const std::vector<uint32_t> members = members_of(memory_of, m);
      if (members.empty()) continue;
      const uint64_t capacity = assigning_.capacities[m];
      Packing packing =
          pack_members(members, m, limits.stop_when_it_fits ? capacity : kUnbounded, limits);
      plan.lower_bounds[m] = packing.lower_bound;
      if (packing.height > capacity && packing.lower_bound <= capacity && !ended()) {
        Packing below = pack_members(members, m, capacity, limits);
        if (below.height < packing.height) packing = std::move(below);
      }
      for (std::size_t k = 0; k < members.size(); ++k) {
        plan.placements[members[k]] = {m, packing.offsets[k]};
        if (items_[members[k]].fixed || plan.first_unplaced) continue;
        const Spot spot = spot_at(problem_, m, packing.offsets[k], items_[members[k]].size_bytes);
        if (spot.overshoot_bytes != 0) plan.first_unplaced = members[k];
      }
    }
    return judged(std::move(plan));
  }

  std::optional<std::vector<uint32_t>> next_assignment(const AssignProblem& problem) {
    if (work_left_ == 0 || problem.memories() > kMemoriesMax || ended()) return std::nullopt;
    const AssignLimits limits{best_.fits() ? best_.cost : kNotAllowed, work_left_,
                              limits_.pack.watch};
    Assignment found = assign(problem, cuts_, limits);
    work_left_ -=
        std::min(work_left_, std::max<uint64_t>(found.work, limits_.assign_work_max / 64));
    return std::move(found.memory_of);
  }

  // Whether every memory packs. Cuts off what does not, or notes that a memory is too full.
  bool check(const std::vector<uint32_t>& memory_of) {
    bool all = true;
    for (uint32_t m = 0; m < problem_.memories().size(); ++m) {
      if (assigning_.capacities[m] == kUnbounded) continue;
      const std::vector<uint32_t> members = members_of(memory_of, m);
      if (packs(members, m)) continue;
      all = false;
      if (cuts_.size() < kCutsMax) cuts_.push_back({m, smaller_cut(members, m)});
    }
    return all;
  }

  // Members that still do not pack: the first stretch of time without a break that does not, less
  // what can go one by one, the least first.
  std::vector<uint32_t> smaller_cut(std::vector<uint32_t> members, uint32_t memory) {
    for (const std::vector<uint32_t>& stretch : stretches(members)) {
      if (ended()) return members;
      if (packs(stretch, memory)) continue;
      members = stretch;
      break;
    }
    std::vector<uint32_t> order = members;
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return items_[a].size_bytes < items_[b].size_bytes;
    });
    for (const uint32_t i : order) {
      if (tries_left_ == 0 || ended()) break;
      std::vector<uint32_t> fewer;
      for (const uint32_t other : members) {
        if (other != i) fewer.push_back(other);
      }
      if (packs(fewer, memory)) continue;
      members = std::move(fewer);
      --tries_left_;
    }
    return members;
  }

  // Members split where no lifetime crosses.
  std::vector<std::vector<uint32_t>> stretches(std::vector<uint32_t> members) const {
    std::stable_sort(members.begin(), members.end(), [&](uint32_t a, uint32_t b) {
      return items_[a].lifetime.first < items_[b].lifetime.first;
    });
    std::vector<std::vector<uint32_t>> found;
    uint32_t last = 0;
    for (const uint32_t i : members) {
      if (found.empty() || items_[i].lifetime.first > last) found.emplace_back();
      found.back().push_back(i);
      last = std::max(last, items_[i].lifetime.last);
    }
    return found;
  }

  void cut_and_repeat() {
    for (int round = 0; round < kCutRounds; ++round) {
      const auto memory_of = next_assignment(assigning_);
      if (!memory_of) {
        settled_ = true;
        return;
      }
      if (!check(*memory_of)) continue;
      settled_ = true;
      take_if_better(pack_all(*memory_of, quick()));
      return;
    }
  }

  // Cuts did not help in time: leave the memories that fail some room that packing may lose.
  void shrink_and_repeat() {
    AssignProblem shrunk = assigning_;
    for (int round = 0; round < kShrinkRounds && !settled_; ++round) {
      const auto memory_of = next_assignment(shrunk);
      if (!memory_of) return;
      settled_ = true;
      for (uint32_t m = 0; m < problem_.memories().size(); ++m) {
        const uint64_t capacity = assigning_.capacities[m];
        if (capacity == kUnbounded) continue;
        const std::vector<uint32_t> members = members_of(*memory_of, m);
        const uint64_t height = pack_members(members, m, capacity, quick()).height;
        if (height <= capacity) continue;
        settled_ = false;
        shrunk.capacities[m] -= std::min(shrunk.capacities[m], height - capacity);
      }
      if (settled_) take_if_better(pack_all(*memory_of, quick()));
    }
  }

  // Lower arenas for the memories chosen.
  void pack_lower() {
    std::vector<uint32_t> memory_of;
    for (const Placement& placement : best_.plan.placements) memory_of.push_back(placement.memory);
    Packed lower = pack_all(memory_of, limited(kLastWork));
    best_.plan.lower_bounds = lower.plan.lower_bounds;  // of the same items
    take_if_better(std::move(lower));
  }

  const CheckedProblem& problem_;
  const std::vector<Item>& items_;
  PlaceLimits limits_;
  bool blocks_are_exact_;
  AssignProblem assigning_;
  uint64_t work_left_;
  Packed best_;
  std::vector<Cut> cuts_;
  int tries_left_ = kCutTries;
  bool settled_ = false;  // nothing is left to try
};

}  // namespace

ItemPlan place_search(const CheckedProblem& problem, const PlaceLimits& limits) {
  return PlaceSearch(problem, limits).run();
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
