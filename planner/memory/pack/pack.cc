// Finds offsets in one memory: components that never meet in time are packed one by one.
#include "planner/memory/pack/pack.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include "planner/memory/greedy/linear_scan.h"
#include "planner/memory/pack/ejection_search.h"
#include "planner/memory/pack/in_order.h"
#include "planner/memory/pack/live_sets.h"
#include "planner/memory/pack/local_search.h"
#include "planner/memory/pack/long_first.h"
#include "planner/memory/pack/orders.h"
#include "planner/memory/pack/precedence_packer.h"
#include "planner/memory/pack/skyline_search.h"
#include "planner/memory/problem/budget.h"
#include "support/random.h"

namespace arenite::memory {

namespace {

// Items that are connected through shared steps: a connected component of the interval graph.
struct Component {
  PackProblem problem;
  std::vector<uint32_t> items;  // of the whole
  LiveSets sets;
  uint64_t bound = 0;
};

// The component of each item: it ends with a live set that no item outlives.
std::vector<uint32_t> number_components(const PackProblem& problem, const LiveSets& sets) {
  std::vector<uint32_t> reach(sets.count, 0);  // last set of any item that starts here
  for (uint32_t i = 0; i < problem.items.size(); ++i) {
    if (sets.holds(i)) reach[sets.first[i]] = std::max(reach[sets.first[i]], sets.last[i]);
  }
  std::vector<uint32_t> of_set(sets.count, 0);
  uint32_t component = 0;
  uint32_t furthest = 0;
  for (uint32_t s = 0; s < sets.count; ++s) {
    of_set[s] = component;
    furthest = std::max(furthest, reach[s]);
    if (furthest == s) ++component;
  }
  std::vector<uint32_t> of_item(problem.items.size(), 0);
  for (uint32_t i = 0; i < of_item.size(); ++i) {
    if (sets.holds(i)) of_item[i] = of_set[sets.first[i]];
  }
  return of_item;
}

std::vector<Component> split(PackProblem problem) {
  LiveSets sets = find_live_sets(problem.items);
  const std::vector<uint32_t> of_item = number_components(problem, sets);
  uint32_t count = 1;
  for (const uint32_t component : of_item) count = std::max(count, component + 1);
  std::vector<Component> components(count);
  std::vector<uint32_t> index(problem.items.size());
  for (uint32_t i = 0; i < problem.items.size(); ++i) {
    Component& component = components[of_item[i]];
    index[i] = static_cast<uint32_t>(component.items.size());
    component.items.push_back(i);
  }
  if (count == 1) {
    Component& only = components.front();
    only.bound = pack_bound(problem, sets);
    only.sets = std::move(sets);
    only.problem = std::move(problem);
    return components;
  }
  for (uint32_t i = 0; i < problem.items.size(); ++i) {
    components[of_item[i]].problem.items.push_back(std::move(problem.items[i]));
  }
  for (const Overlap& overlap : problem.overlaps) {
    // An item without bytes shares none.
    if (of_item[overlap.input] != of_item[overlap.output]) continue;
    components[of_item[overlap.input]].problem.overlaps.push_back(
        {index[overlap.input], index[overlap.output], overlap.lead_bytes});
  }
  for (Component& component : components) {
    component.problem.buffer_overlaps = problem.buffer_overlaps;
    component.problem.blocks_are_exact = problem.blocks_are_exact;
    component.problem.capacity_bytes = problem.capacity_bytes;
    component.sets = find_live_sets(component.problem.items);
    component.bound = pack_bound(component.problem, component.sets);
  }
  return components;
}

uint64_t work_by_size(std::size_t items) {
  constexpr uint64_t kWorkMax = 400'000'000;
  constexpr uint64_t kWorkPerPair = 5'000;
  const uint64_t count = std::min<uint64_t>(items, 1000);
  return std::min(kWorkMax, kWorkPerPair * count * count);
}

uint64_t work_of(std::size_t items, const PackLimits& limits) {
  return limits.work_max == kWorkBySize ? work_by_size(items) : limits.work_max;
}

// Above this many items times sets a node of the search costs too much; orders have to do.
constexpr uint64_t kSearchSizeMax = 30'000'000;

// From so many items on the long-lived go first; above twice as many no order of all is tried.
constexpr std::size_t kLongFirstMin = 80'000;

// Steps of a search until the other one has its turn.
constexpr uint64_t kTurnWork = 100'000'000;

// The work that deciding precedences may take before local search, and at least has after it.
constexpr uint64_t kPrecedenceWork = 20'000'000;

// Fewer changes than this to an order are not worth beginning.
constexpr uint64_t kLocalRoundsMin = 20;

// A packing, and what the search goes on with where there is more time for it.
struct Found {
  Packing packing;
  std::vector<uint32_t> order;  // that gave it, where one did
  uint32_t orders = 0;          // so many of the portfolio's were packed
};

class ComponentPacker {
 public:
  ComponentPacker(const Component& component, uint64_t goal, const PackLimits& limits,
                  Budget& budget)
      : problem_(component.problem),
        sets_(component.sets),
        packer_(problem_, limits.watch),
        random_(limits.seed),
        portfolio_only_(limits.portfolio_only),
        by_size_(limits.work_max == kWorkBySize),
        budget_(budget),
        precedences_(problem_, limits.seed, limits.watch),
        ejection_random_(~limits.seed),
        bound_(component.bound) {
    const uint64_t capacity = problem_.capacity_bytes;
    goal_ = capacity == kUnbounded ? goal : std::max(goal, capacity);
  }

  Found run() {
    best_.height = UINT64_MAX;
    best_.lower_bound = bound_;
    const bool plain = problem_.overlaps.empty() && !problem_.has_gaps();
    const std::size_t count = problem_.items.size();
    if (plain && count >= kLongFirstMin) try_long_first();
    if (best_.height == UINT64_MAX || count < 2 * kLongFirstMin) try_orders();
    if (best_.height == UINT64_MAX) scan();
    if (!portfolio_only_ && !stopped(budget_.watch())) search(plain);
    return end();
  }

  // Goes on from what was found before: the packing that comes back is no higher.
  Found go_on(Found before) {
    best_ = std::move(before.packing);
    best_order_ = std::move(before.order);
    next_order_ = before.orders;
    in_turns_ = true;
    if (problem_.blocks_are_exact) {
      best_.lower_bound = std::max(best_.lower_bound, bound_);
    } else {
      proved_ = best_.lower_bound;
      best_.lower_bound = bound_;
    }
    if (problem_.items.size() < 2 * kLongFirstMin) try_orders();
    if (!portfolio_only_) search(problem_.overlaps.empty() && !problem_.has_gaps());
    return end();
  }

 private:
  Found end() {
    if (!problem_.blocks_are_exact) best_.lower_bound = 0;
    best_.lower_bound = std::max(best_.lower_bound, proved_);
    return {std::move(best_), std::move(best_order_), next_order_};
  }

  bool done() const { return best_.height <= std::max({goal_, best_.lower_bound, proved_}); }

  // The same where blocks prove nothing.
  bool proved() const {
    return best_.height <=
           std::max({goal_, proved_, problem_.blocks_are_exact ? best_.lower_bound : 0});
  }

  void search(bool plain) {
    const std::size_t count = problem_.items.size();
    const bool small = uint64_t{sets_.count} * count <= kSearchSizeMax;
    if (!done() && !plain) {
      decide_precedences(std::min(kPrecedenceWork, budget_.work_left() / 4), budget_);
    }
    if (!done() && plain && small) search_by_turns();
    if (!done() && !best_order_.empty() && budget_.work_left() > kLocalRoundsMin * order_work_) {
      improve_order();
    }
    if (!done() && by_size_ && may_eject()) {
      Budget more(work_by_size(count) / 4, budget_.watch());
      eject(UINT64_MAX, more);
    }
    if (proved() || (plain && problem_.blocks_are_exact && !settled_)) return;
    Budget more(std::max(kPrecedenceWork, work_by_size(count) / 4), budget_.watch());
    Budget& budget = by_size_ ? more : budget_;
    decide_precedences(budget.work_left(), budget);
  }

  // Also below what is proved of blocks where that proves nothing.
  void decide_precedences(uint64_t work_max, Budget& budget) {
    const uint64_t goal = std::max(goal_, problem_.blocks_are_exact ? best_.lower_bound : 0);
    precedences_.run(goal, work_max, budget, best_, proved_);
  }

  void try_orders() {
    Portfolio portfolio(problem_, sets_);
    std::vector<uint64_t> offsets;
    for (uint32_t& k = next_order_; k < portfolio_size() && !done(); ++k) {
      if (k >= portfolio_always() && budget_.over()) break;
      const uint64_t before = packer_.work();
      const std::span<const uint32_t> order = portfolio.order(k);
      const std::optional<uint64_t> height = packer_.pack(order, portfolio.fit(k), offsets);
      if (!height) break;
      order_work_ = 5 * (packer_.work() - before);  // each costs more than one of a search
      budget_.spend(order_work_);
      if (*height >= best_.height) continue;
      best_.height = *height;
      best_.offsets = offsets;
      best_order_.assign(order.begin(), order.end());
      tell_progress(budget_.watch(), best_, "trying orders");
    }
  }

  void try_long_first() {
    std::optional<Packing> found =
        pack_long_first(problem_, std::max(goal_, best_.lower_bound), budget_.watch());
    if (!found) return;
    best_.height = found->height;
    best_.offsets = std::move(found->offsets);
  }

  // No order was done in time.
  void scan() {
    best_.offsets = linear_scan(problem_.items);
    best_.height = height_of(problem_, best_.offsets);
    best_order_.resize(problem_.items.size());
    std::iota(best_order_.begin(), best_order_.end(), 0u);
  }

  // Sizes, lengths or both, with some noise: which one helps differs from problem to problem.
  void draw_keys() {
    const double kind = static_cast<double>(random_.below(4));
    const double length_weight = kind == 3 ? random_.unit() : kind / 2;
    constexpr double kNoises[] = {0.2, 0.8, 2.0};
    const double noise = kNoises[random_.below(3)];
    keys_.resize(problem_.items.size());
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const Item& item = problem_.items[i];
      const double length = 1.0 + item.lifetime.last - item.lifetime.first;
      const double size = 1.0 + static_cast<double>(item.size_bytes);
      keys_[i] = length_weight * std::log(length) + (1 - length_weight) * std::log(size) +
                 noise * (2 * random_.unit() - 1);
    }
  }

  // Restarts are short, since lucky ones are; now and then a long one, so that small problems are
  // searched to the end.
  uint64_t nodes_of(uint64_t restart) const {
    const uint64_t base = 2 * problem_.items.size() + 300;
    if (restart % 256 == 255) return 64 * base;
    return restart % 16 == 15 ? 4 * base : base;
  }

  // The height to try for, in units: the lower bound, and heights on the way to it, which are
  // easier and leave less to lose when time is up.
  uint64_t target(uint64_t restart, uint64_t low, uint64_t high) const {
    if (problem_.capacity_bytes != kUnbounded) return std::max(low, goal_units());
    switch (restart % 4) {
      case 0:
        return low;
      case 3:
        return high - (high - low) / 8;
      default:
        return low + (high - low) / 2;
    }
  }

  uint64_t units(uint64_t bytes) const { return (bytes + unit_ - 1) / unit_; }
  uint64_t goal_units() const { return units(goal_); }

  // If the clock is the limit, exact search and ejection search take turns. Exact search proves,
  // and finds tight packings; ejection search finds packings of many items.
  void search_by_turns() {
    SkylineSearch search(problem_, sets_, budget_.watch());
    unit_ = search.unit_bytes();
    const bool turns = in_turns_ && may_eject();
    while (!done() && !budget_.over() && !settled_) {
      search_exactly(search, turns ? kTurnWork : UINT64_MAX);
      if (turns && !done() && !settled_) eject(kTurnWork, budget_);
    }
  }

  bool may_eject() const {
    return problem_.items.size() < kLongFirstMin &&
           count_pairs(problem_.items) <= EjectionSearch::kPairsMax;
  }

  void eject(uint64_t work_max, Budget& budget) {
    if (!ejection_) ejection_.emplace(problem_);
    ejection_->run(std::max(goal_, best_.lower_bound), work_max, ejection_random_, budget, best_);
  }

  void search_exactly(SkylineSearch& search, uint64_t work_max) {
    uint64_t work = search.work();
    const uint64_t work_end = work_max == UINT64_MAX ? UINT64_MAX : work + work_max;
    for (uint64_t& restart = restart_; !done() && !budget_.over() && work < work_end; ++restart) {
      const uint64_t low = std::max(units(best_.lower_bound), goal_units());
      const uint64_t high = units(best_.height) - 1;
      if (low > high) {
        settled_ = true;
        return;
      }
      draw_keys();
      const uint64_t height = std::min(target(restart, low, high), high);
      const SearchEnd end = search.run(height, keys_, nodes_of(restart));
      budget_.spend(search.work() - work);
      work = search.work();
      if (end == SearchEnd::kFound) take(search.offsets());
      if (end == SearchEnd::kImpossible) {
        best_.lower_bound = std::max(best_.lower_bound, height * unit_ + 1);
        if (problem_.capacity_bytes != kUnbounded) {
          settled_ = true;
          return;
        }
      }
    }
  }

  void take(std::span<const uint64_t> offsets) {
    const uint64_t height = height_of(problem_, offsets);
    if (height >= best_.height) return;
    best_.height = height;
    best_.offsets.assign(offsets.begin(), offsets.end());
    tell_progress(budget_.watch(), best_, "searching");
  }

  void improve_order() {
    constexpr uint32_t kRounds = 2000;
    local_search(problem_, packer_, best_order_, std::max(goal_, best_.lower_bound), kRounds,
                 random_, budget_, best_);
  }

  const PackProblem& problem_;
  const LiveSets& sets_;
  OrderPacker packer_;
  Random random_;
  bool portfolio_only_;
  bool by_size_;           // what limits is work, by the size of the problem
  bool in_turns_ = false;  // exact search and ejection search
  Budget& budget_;
  uint64_t goal_ = 0;
  uint64_t unit_ = 1;
  Packing best_;
  std::vector<uint32_t> best_order_;
  uint32_t next_order_ = 0;  // of the portfolio
  uint64_t order_work_ = 0;  // of the last order
  uint64_t restart_ = 0;     // of the exact search
  bool settled_ = false;     // it has nothing left to try, in its units
  PrecedencePacker precedences_;
  uint64_t proved_ = 0;  // no packing is lower, whatever blocks leave free
  std::optional<EjectionSearch> ejection_;
  Random ejection_random_;
  uint64_t bound_;
  std::vector<double> keys_;
};

}  // namespace

uint64_t height_of(const PackProblem& problem, std::span<const uint64_t> offsets) {
  uint64_t height = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    height = std::max(height, offsets[i] + problem.items[i].size_bytes);
  }
  return height;
}

void tell_progress(const Watch* watch, const Packing& best, const char* doing) {
  if (watch == nullptr || !watch->progress) return;
  watch->progress(std::string(doing) + ": height " + std::to_string(best.height) +
                      ", lower bound " + std::to_string(best.lower_bound),
                  0, 0);
}

bool PackProblem::has_gaps() const {
  return std::any_of(items.begin(), items.end(), [](const Item& item) { return !item.solid; });
}

namespace {

// Lowers the highest component below the next one, until the clock ends it or the highest cannot be
// lowered.
void go_on(std::span<const Component> components, const PackLimits& limits,
           std::vector<Found>& found) {
  const auto lower = [](const Found& a, const Found& b) {
    return a.packing.height < b.packing.height;
  };
  Budget budget(UINT64_MAX, limits.watch);
  PackLimits next = limits;
  while (!found.empty() && !budget.over()) {
    ++next.seed;  // not what was tried before
    const auto highest = std::max_element(found.begin(), found.end(), lower);
    const uint64_t height = highest->packing.height;
    uint64_t goal = 0;
    for (auto other = found.begin(); other != found.end(); ++other) {
      goal = std::max(goal, other->packing.lower_bound);
      if (other == highest || other->packing.height == 0) continue;
      goal = std::max(goal, other->packing.height - 1);
    }
    const Component& component = components[static_cast<std::size_t>(highest - found.begin())];
    if (component.problem.capacity_bytes != kUnbounded) {
      goal = std::max(goal, component.problem.capacity_bytes);
    }
    if (height <= goal) return;
    *highest = ComponentPacker(component, goal, next, budget).go_on(std::move(*highest));
    if (highest->packing.height > goal) return;
  }
}

}  // namespace

Packing pack(PackProblem problem, const PackLimits& limits) {
  const std::size_t count = problem.items.size();
  Packing whole{std::vector<uint64_t>(count, 0), 0, 0};
  std::vector<Component> components = split(std::move(problem));
  std::stable_sort(components.begin(), components.end(),
                   [](const Component& a, const Component& b) { return a.bound > b.bound; });
  // If the clock is the limit, the search begins as without a limit, so that it never ends higher.
  const bool by_time = limits.work_max == UINT64_MAX;
  PackLimits first = limits;
  if (by_time) first.work_max = kWorkBySize;
  Budget budget(work_of(count, first), limits.watch);
  std::vector<Found> found;
  for (const Component& component : components) {
    // No component needs to be lower than what another one takes anyway.
    const uint64_t bound = component.problem.blocks_are_exact ? component.bound : 0;
    const uint64_t goal = std::max({whole.height, whole.lower_bound, bound});
    found.push_back(ComponentPacker(component, goal, first, budget).run());
    whole.height = std::max(whole.height, found.back().packing.height);
    whole.lower_bound = std::max(whole.lower_bound, found.back().packing.lower_bound);
  }
  if (by_time) go_on(components, limits, found);
  whole.height = whole.lower_bound = 0;
  for (std::size_t c = 0; c < components.size(); ++c) {
    const Packing& packing = found[c].packing;
    for (std::size_t i = 0; i < components[c].items.size(); ++i) {
      whole.offsets[components[c].items[i]] = packing.offsets[i];
    }
    whole.height = std::max(whole.height, packing.height);
    whole.lower_bound = std::max(whole.lower_bound, packing.lower_bound);
  }
  return whole;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
