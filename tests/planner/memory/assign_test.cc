// Choices of memories are as cheap as trying all, never above the bound, and bounded by any prices.
#include "planner/memory/assign/assign.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "planner/memory/assign/lagrangian_bound.h"
#include "planner/memory/assign/place_search.h"
#include "planner/memory/problem/verify.h"
#include "tests/planner/memory/build.h"
#include "tests/planner/memory/generators.h"
#include "tests/planner/memory/random_problem.h"

namespace arenite::memory {
namespace {

// Up to 8 items in 2 or 3 memories, some barred, some that may share.
AssignProblem small_problem(uint32_t seed) {
  Dice dice(seed);
  AssignProblem made;
  const uint32_t memories = 2 + dice.below(2);
  for (uint32_t m = 0; m < memories; ++m) {
    const bool unlimited = m + 1 == memories && !dice.one_in(3);
    made.capacities.push_back(unlimited ? kUnbounded : 10 + dice.below(60));
  }
  const uint32_t items = 1 + dice.below(8);
  for (uint32_t i = 0; i < items; ++i) {
    const uint32_t first = dice.below(8);
    made.lifetimes.push_back({first, first + dice.below(5)});
    const uint64_t bytes = dice.below(30);
    const uint32_t barred = dice.below(3 * memories);
    for (uint32_t m = 0; m < memories; ++m) {
      made.bytes.push_back(bytes);
      made.costs.push_back(m == barred ? kNotAllowed : static_cast<double>(m * dice.below(50)));
    }
  }
  // Each in one overlap at most, so that what they save adds up.
  std::vector<bool> shares(items, false);
  for (uint32_t output = 0; output < items; ++output) {
    for (uint32_t input = 0; input < items && !shares[output]; ++input) {
      const bool meet = made.lifetimes[input].last == made.lifetimes[output].first;
      if (input == output || !meet || shares[input] || dice.one_in(3)) continue;
      shares[input] = shares[output] = true;
      made.overlaps.push_back({input, output, static_cast<int64_t>(dice.below(20)) - 5});
    }
  }
  return made;
}

// Live bytes of one memory at one step, less what overlap may save, against its capacity.
bool fits(const AssignProblem& problem, const std::vector<uint32_t>& memory_of, uint32_t memory,
          uint32_t step) {
  uint64_t live = 0;
  uint64_t saved = 0;
  const auto here = [&](uint32_t i) {
    return memory_of[i] == memory && problem.lifetimes[i].first <= step &&
           step <= problem.lifetimes[i].last;
  };
  for (uint32_t i = 0; i < problem.items(); ++i) live += here(i) ? problem.bytes_in(i, memory) : 0;
  for (const Overlap& overlap : problem.overlaps) {
    if (here(overlap.input) && here(overlap.output)) {
      saved += saved_bytes_in(problem, overlap, memory);
    }
  }
  return live <= problem.capacities[memory] || live - problem.capacities[memory] <= saved;
}

double cost_of(const AssignProblem& problem, const std::vector<uint32_t>& memory_of) {
  double cost = 0;
  for (uint32_t i = 0; i < problem.items(); ++i) cost += problem.cost_in(i, memory_of[i]);
  return cost;
}

bool keeps(const std::vector<uint32_t>& memory_of, const Cut& cut) {
  return std::any_of(cut.items.begin(), cut.items.end(),
                     [&](uint32_t i) { return memory_of[i] != cut.memory; });
}

// The least cost by trying all.
double least_cost(const AssignProblem& problem, const std::vector<Cut>& cuts) {
  std::vector<uint32_t> memory_of(problem.items(), 0);
  double least = kNotAllowed;
  for (;;) {
    bool good = cost_of(problem, memory_of) < least;
    for (const Cut& cut : cuts) good = good && keeps(memory_of, cut);
    for (uint32_t m = 0; good && m < problem.memories(); ++m) {
      for (uint32_t step = 0; good && step < 14; ++step) good = fits(problem, memory_of, m, step);
    }
    if (good) least = cost_of(problem, memory_of);
    std::size_t digit = 0;
    while (digit < memory_of.size() && ++memory_of[digit] == problem.memories()) {
      memory_of[digit++] = 0;
    }
    if (digit == memory_of.size()) return least;
  }
}

TEST(Assign, IsAsCheapAsTryingAll) {
  uint32_t possible = 0;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const AssignProblem problem = small_problem(seed);
    std::vector<Cut> cuts;
    Dice dice(seed);
    for (uint32_t c = dice.below(3); c > 0; --c) {
      Cut cut{dice.below(problem.memories()), {}};
      for (uint32_t i = 0; i < problem.items(); ++i) {
        if (dice.one_in(2)) cut.items.push_back(i);
      }
      if (!cut.items.empty()) cuts.push_back(cut);
    }
    const double least = least_cost(problem, cuts);
    const Assignment found = assign(problem, cuts, {});
    ASSERT_EQ(found.memory_of.has_value(), least != kNotAllowed);
    ASSERT_EQ(found.cost, least);
    if (least == kNotAllowed) {
      ASSERT_EQ(found.lower_bound, kNotAllowed);
    } else {
      ASSERT_NEAR(found.lower_bound, least, 1e-6);
    }
    if (!found.memory_of) continue;
    ++possible;
    ASSERT_EQ(cost_of(problem, *found.memory_of), least);
    const Assignment cheaper = assign(problem, cuts, {.cost_max = least});
    ASSERT_FALSE(cheaper.memory_of);
  }
  EXPECT_GT(possible, 1500u);
}

TEST(Assign, AnyMultipliersBoundTheCost) {
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    const AssignProblem problem = small_problem(seed);
    const double least = least_cost(problem, {});
    if (least == kNotAllowed) continue;
    const LiveSets sets = find_live_sets(problem.lifetimes);
    const Multipliers found = find_multipliers(problem, sets, kNotAllowed, nullptr);
    ASSERT_LE(found.bound, least + 1e-6) << seed;
    ASSERT_DOUBLE_EQ(lagrangian_bound(problem, sets, found.value), found.bound) << seed;
    Dice dice(seed);
    std::vector<double> price = found.value;
    for (std::size_t i = 0; i < price.size(); ++i) {
      if (problem.capacities[i % problem.memories()] != kUnbounded) price[i] += dice.below(3);
    }
    ASSERT_LE(lagrangian_bound(problem, sets, price), least + 1e-6) << seed;
  }
}

TEST(Assign, ANarrowSweepBoundsWhatItDoesNotProve) {
  // Too little work to keep all: the cost and the bound still enclose the best.
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const AssignProblem problem = small_problem(seed);
    const Assignment wide = assign(problem, {}, {});
    const Assignment narrow = assign(problem, {}, {.work_max = 1500});
    ASSERT_LE(narrow.lower_bound, wide.cost * (1 + 1e-9)) << seed;
    if (narrow.memory_of) {
      ASSERT_GE(narrow.cost, wide.cost) << seed;
    }
  }
}

TEST(LiveSets, OnlyTheLargestCount) {
  const std::vector<Lifetime> lifetimes = {{0, 2}, {1, 1}, {2, 5}, {4, 4}, {7, 9}};
  const LiveSets sets = find_live_sets(lifetimes);
  EXPECT_EQ(sets.count, 4u);  // at steps 1, 2, 4 and 7
  EXPECT_EQ(sets.first, (std::vector<uint32_t>{0, 0, 1, 2, 3}));
  EXPECT_EQ(sets.last, (std::vector<uint32_t>{1, 0, 2, 2, 3}));
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
