// Bounds proved for groups of buffers hold for every plan of them.
#include "planner/memory/problem/items.h"

#include <gtest/gtest.h>

#include "planner/memory/problem/verify.h"
#include "planner/memory/report.h"
#include "tests/planner/memory/build.h"
#include "tests/planner/memory/generators.h"

namespace arenite::memory {
namespace {

Buffer part(uint64_t size_bytes, uint32_t first, uint32_t last, Relative relative) {
  Buffer made = buffer(size_bytes, first, last);
  made.relative = relative;
  return made;
}

bool exact(const Problem& problem) { return items_are_exact(CheckedProblem(problem)); }

// b lies 10 bytes above a, which is long dead when b is born: c fits below b.
Problem leaves_room() {
  return problem_of(unbounded(), {buffer(10, 0, 0), part(10, 5, 5, {0, 10}), buffer(10, 5, 5)});
}

TEST(ExactItems, AreThoseWhoseBytesAreAllInUse) {
  EXPECT_TRUE(exact(problem_of(unbounded(), {buffer(10, 0, 3), buffer(5, 1, 2)})));
  EXPECT_TRUE(exact(problem_of(unbounded(), {buffer(10, 0, 3), part(4, 1, 3, {0, 2})})));
  EXPECT_TRUE(exact(problem_of(unbounded(), {buffer(10, 0, 3), part(10, 4, 6, {0, 0})})));
  // A view that outlives its base, a part that is born late, a hole between two parts.
  EXPECT_FALSE(exact(problem_of(unbounded(), {buffer(10, 0, 3), part(4, 1, 4, {0, 2})})));
  EXPECT_FALSE(exact(leaves_room()));
  EXPECT_FALSE(exact(problem_of(unbounded(), {buffer(4, 0, 3), part(4, 0, 3, {0, 6})})));
}

TEST(ExactItems, HaveNoOverlapsWithPartsOfGroups) {
  Problem problem = problem_of(
      unbounded(), {buffer(10, 0, 3), part(4, 1, 3, {0, 2}), buffer(10, 3, 5), buffer(9, 5, 6)});
  problem.overlaps = {{2, 3, 0}};
  EXPECT_TRUE(exact(problem));
  problem.overlaps = {{0, 2, 0}};
  EXPECT_FALSE(exact(problem));
}

TEST(ExactItems, APlanAboveTheBestIsNotCalledOptimal) {
  const Problem problem = leaves_room();
  const Solution better{{{0, 0}, {0, 10}, {0, 0}}};
  ASSERT_FALSE(verify(problem, better));
  for (const Algorithm algorithm : {Algorithm::kPortfolio, Algorithm::kSearch}) {
    const MemoryReport report = make_report(problem, solved(algorithm, problem));
    EXPECT_LE(report.lower_bound_bytes, 20u);
    EXPECT_FALSE(report.optimal && report.peak_sum_bytes > 20);
  }
}

// Two or three buffers, one or two parts of them, and a permission to overlap now and then.
Problem tiny_groups(Dice& dice) {
  Problem problem = problem_of(unbounded(), {});
  const uint32_t roots = 2 + dice.below(2);
  for (uint32_t i = 0; i < roots; ++i) {
    const uint32_t first = dice.below(4);
    problem.buffers.push_back(buffer(1 + dice.below(4), first, first + dice.below(3)));
  }
  for (uint32_t i = 1 + dice.below(2); i-- > 0;) {
    const uint32_t first = dice.below(4);
    problem.buffers.push_back(
        part(1 + dice.below(3), first, first + dice.below(3), {dice.below(roots), dice.below(4)}));
  }
  for (uint32_t i = 0; i < problem.buffers.size(); ++i) {
    problem.buffers[i].name = std::string(1, static_cast<char>('a' + i));
    for (uint32_t j = 0; j < problem.buffers.size(); ++j) {
      if (i == j || problem.buffers[i].lifetime.last != problem.buffers[j].lifetime.first) continue;
      if (dice.one_in(3)) problem.overlaps.push_back({i, j, int64_t{dice.below(3)} - 1});
    }
  }
  return problem;
}

// Whether some plan below `height` passes the verifier: all places of all roots are tried.
bool any_plan_below(const Problem& problem, uint64_t height, uint32_t i, Solution& solution) {
  if (i == problem.buffers.size()) return !verify(problem, solution);
  const Buffer& at = problem.buffers[i];
  if (at.relative) {
    const uint64_t offset = solution.placements[at.relative->base].offset;
    solution.placements[i] = {0, offset + at.relative->offset_bytes};
    return solution.placements[i].offset + at.size_bytes < height &&
           any_plan_below(problem, height, i + 1, solution);
  }
  for (uint64_t offset = 0; offset + at.size_bytes < height; ++offset) {
    solution.placements[i] = {0, offset};
    if (any_plan_below(problem, height, i + 1, solution)) return true;
  }
  return false;
}

TEST(ExactItems, NoPlanIsBelowWhatIsProved) {
  uint32_t exact_ones = 0, optimal = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    const Problem problem = tiny_groups(dice);
    const MemoryReport report = make_report(problem, solved(Algorithm::kSearch, problem));
    Solution tried{std::vector<Placement>(problem.buffers.size())};
    ASSERT_FALSE(any_plan_below(problem, report.lower_bound_bytes, 0, tried));
    exact_ones += exact(problem) ? 1u : 0u;
    optimal += report.optimal ? 1u : 0u;
  }
  EXPECT_GT(exact_ones, 10u);
  EXPECT_GT(optimal, 100u);
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
