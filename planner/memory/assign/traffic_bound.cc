// Shrinks items to what surely takes room, and bounds the assignment of what is left.
#include "planner/memory/assign/traffic_bound.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "planner/memory/assign/assign.h"
#include "planner/memory/assign/members.h"
#include "planner/memory/pack/conflicts.h"
#include "planner/memory/pack/precedence_search.h"
#include "planner/memory/problem/uses.h"

namespace arenite::memory {
namespace {

// Each item shrunk to the one use of a member that takes the most bytes for the longest: what
// surely takes room, whatever a plan does with the holes that a group and its gaps leave.
std::vector<Use> sure_uses(const CheckedProblem& problem) {
  const std::vector<Item>& items = problem.items();
  std::vector<double> most(items.size(), 0);
  std::vector<Use> sure(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) sure[i].steps = items[i].lifetime;
  for (uint32_t b = 0; b < problem.buffers().size(); ++b) {
    const uint32_t i = problem.item_of(b);
    for (const Use& use : uses_of(problem.buffers()[b])) {
      const double area =
          static_cast<double>(use.bytes.bytes()) * (1.0 + use.steps.last - use.steps.first);
      if (area <= most[i]) continue;
      most[i] = area;
      sure[i] = use;
    }
  }
  return sure;
}

// The most favorable overlap wherever two shrunk items meet at the step of a permission.
std::vector<Overlap> overlaps_at_best(const CheckedProblem& problem, std::span<const Use> sure) {
  std::vector<Overlap> overlaps;
  for (const Overlap& overlap : problem.overlaps()) {
    const uint32_t input = problem.item_of(overlap.input);
    const uint32_t output = problem.item_of(overlap.output);
    if (input == output || sure[input].steps.last != sure[output].steps.first) continue;
    overlaps.push_back({input, output, 0});
  }
  const auto pair = [](const Overlap& overlap) { return std::pair(overlap.output, overlap.input); };
  std::sort(overlaps.begin(), overlaps.end(),
            [&](const Overlap& a, const Overlap& b) { return pair(a) < pair(b); });
  overlaps.erase(
      std::unique(overlaps.begin(), overlaps.end(),
                  [&](const Overlap& a, const Overlap& b) { return pair(a) == pair(b); }),
      overlaps.end());
  return overlaps;
}

// The problem of which memory with less asked of it than any plan has to give: its bounds hold for
// every plan that the verifier accepts.
AssignProblem relaxed(const CheckedProblem& problem) {
  AssignProblem made = make_assign_problem(problem);
  for (uint32_t m = 0; m < made.memories(); ++m) {
    // Only the topmost item's own bytes have to lie in the memory, not their padding.
    const Memory& memory = problem.memories()[m];
    if (memory.size_bytes != kUnbounded) {
      made.capacities[m] = align_up(memory.size_bytes, memory.alignment);
    }
  }
  const std::vector<Item>& items = problem.items();
  const std::vector<Use> sure = sure_uses(problem);
  bool shrunk = false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    shrunk |= sure[i].bytes.bytes() != items[i].size_bytes ||
              sure[i].steps.first != items[i].lifetime.first ||
              sure[i].steps.last != items[i].lifetime.last;
  }
  if (!shrunk) return made;
  made.overlaps = overlaps_at_best(problem, sure);
  // Members need not start where their group does, so rounding their sizes up proves nothing.
  for (std::size_t i = 0; i < items.size(); ++i) {
    made.lifetimes[i] = sure[i].steps;
    std::fill_n(&made.bytes[i * made.memories()], made.memories(), sure[i].bytes.bytes());
  }
  return made;
}

// Bytes x (reads + writes) of each item.
std::vector<uint64_t> item_traffic(const CheckedProblem& problem) {
  std::vector<uint64_t> traffic(problem.items().size(), 0);
  for (uint32_t b = 0; b < problem.buffers().size(); ++b) {
    const Buffer& buffer = problem.buffers()[b];
    traffic[problem.item_of(b)] += buffer.size_bytes * (buffer.reads + buffer.writes);
  }
  return traffic;
}

// The least multiple of `unit` that a bound found in floating point proves.
uint64_t whole_units(double bound, uint64_t unit) {
  constexpr double kRounding = 2e-9;  // twice the tie that a beam search calls equal
  const double sure = bound * (1 - kRounding);
  if (unit == 0 || !(sure > 0)) return 0;
  return static_cast<uint64_t>(std::ceil(sure / static_cast<double>(unit))) * unit;
}

// Two memories: the first one, and elsewhere, which has no end.
AssignProblem first_or_elsewhere(const AssignProblem& all) {
  AssignProblem made{.capacities = {all.capacities[0], kUnbounded},
                     .lifetimes = all.lifetimes,
                     .bytes = {},
                     .costs = {},
                     .overlaps = all.overlaps};
  for (uint32_t i = 0; i < all.items(); ++i) {
    double elsewhere = kNotAllowed;
    for (uint32_t m = 1; m < all.memories(); ++m) {
      elsewhere = std::min(elsewhere, all.cost_in(i, m));
    }
    // An item that costs nothing elsewhere only takes room in the first memory.
    const double first = elsewhere == 0 ? kNotAllowed : all.cost_in(i, 0);
    made.bytes.insert(made.bytes.end(), {all.bytes_in(i, 0), all.bytes_in(i, 0)});
    made.costs.insert(made.costs.end(), {first, elsewhere});
  }
  return made;
}

// The bound of live bytes, raised by cuts: items that an exact search proves cannot lie in the
// first memory together are cut off, and the least assignment is looked for again.
//   1. assign (assign.h) with the cuts so far: what it proves is a bound;
//   2. what it has in the first memory packs (precedence_search.h): no cut raises the bound more;
//   3. it does not: the shortest stretch of time in which that shows, less what can go, is a cut.
class CutBound {
 public:
  CutBound(const CheckedProblem& problem, const AssignProblem& relaxed, const AssignLimits& limits)
      : problem_(problem), assigning_(first_or_elsewhere(relaxed)), limits_(limits) {
    limits_.work_max = kWorkOfRound;
  }

  double run() {
    double bound = 0;
    while (cuts_.size() < kCutsMax && !stopped(limits_.watch)) {
      const Assignment found = assign(assigning_, cuts_, limits_);
      bound = std::max(bound, std::min(found.lower_bound, limits_.cost_max));
      if (!found.memory_of) break;
      std::vector<uint32_t> members;
      for (uint32_t i = 0; i < assigning_.items(); ++i) {
        if ((*found.memory_of)[i] == 0) members.push_back(i);
      }
      if (!cannot_pack(members)) break;
      cuts_.push_back({0, smaller(std::move(members))});
    }
    return bound;
  }

 private:
  static constexpr uint64_t kWorkOfRound = 10'000'000;
  static constexpr uint64_t kNodes = 2'000;

  bool cannot_pack(std::span<const uint32_t> members) const {
    const PackProblem packing = pack_problem_of(problem_, members, 0);
    if (count_pairs(packing.items) > kPairsMax) return false;
    PrecedenceSearch search(packing, find_conflicts(packing, Detail::kUses), limits_.watch);
    Random random(0);
    return search.run(problem_.memories()[0].size_bytes, kNodes, random) == SearchEnd::kImpossible;
  }

  // The members alive at some step of a stretch.
  std::vector<uint32_t> within(std::span<const uint32_t> members, const Lifetime& steps) const {
    std::vector<uint32_t> found;
    for (const uint32_t i : members) {
      if (problem_.items()[i].lifetime.meets(steps)) found.push_back(i);
    }
    return found;
  }

  std::vector<uint32_t> smaller(std::vector<uint32_t> members) const {
    Lifetime steps{UINT32_MAX, 0};
    for (const uint32_t i : members) {
      steps.first = std::min(steps.first, problem_.items()[i].lifetime.first);
      steps.last = std::max(steps.last, problem_.items()[i].lifetime.last);
    }
    // The least last step, then the largest first one, by halves.
    for (uint32_t low = steps.first; low < steps.last;) {
      const uint32_t middle = low + (steps.last - low) / 2;
      const bool enough = cannot_pack(within(members, {steps.first, middle}));
      (enough ? steps.last : low) = enough ? middle : middle + 1;
    }
    for (uint32_t high = steps.last; steps.first < high;) {
      const uint32_t middle = high - (high - steps.first) / 2;
      const bool enough = cannot_pack(within(members, {middle, steps.last}));
      (enough ? steps.first : high) = enough ? middle : middle - 1;
    }
    members = within(members, steps);
    for (std::size_t k = members.size(); k-- > 0 && !stopped(limits_.watch);) {
      std::vector<uint32_t> fewer = members;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      if (cannot_pack(fewer)) members = std::move(fewer);
    }
    return members;
  }

  static constexpr uint64_t kPairsMax = 100'000;

  const CheckedProblem& problem_;
  AssignProblem assigning_;
  AssignLimits limits_;
  std::vector<Cut> cuts_;
};

}  // namespace

double traffic_bound(const CheckedProblem& problem) {
  return assign(relaxed(problem), {}, {}).lower_bound;
}

uint64_t slow_traffic_bound(const CheckedProblem& problem, uint64_t known_bytes,
                            const Watch* watch) {
  if (known_bytes == 0) return 0;
  AssignProblem made = relaxed(problem);
  const std::vector<uint64_t> traffic = item_traffic(problem);
  uint64_t unit = 0;
  for (std::size_t i = 0; i < traffic.size(); ++i) {
    unit = std::gcd(unit, traffic[i]);
    for (uint32_t m = 0; m < made.memories(); ++m) {
      double& cost = made.costs[i * made.memories() + m];
      if (cost != kNotAllowed) cost = m == 0 ? 0 : static_cast<double>(traffic[i]);
    }
  }
  AssignLimits limits{.cost_max = static_cast<double>(known_bytes), .watch = watch};
  if (made.memories() > kMemoriesMax) limits.work_max = 0;  // multipliers alone
  const double bound = assign(made, {}, limits).lower_bound;
  if (bound == kNotAllowed) return known_bytes;
  const uint64_t live = whole_units(bound, unit);
  if (live >= known_bytes || problem.memories().size() == 1) return live;
  return std::max(live, whole_units(CutBound(problem, made, limits).run(), unit));
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
