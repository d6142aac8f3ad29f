// The exact search with overlaps, gaps, fixed buffers, groups and all of them against trying all
// plans.
#include <gtest/gtest.h>

#include "planner/memory/pack/conflicts.h"
#include "planner/memory/pack/precedence_search.h"
#include "planner/memory/problem/verify.h"
#include "tests/planner/memory/build.h"
#include "tests/planner/memory/generators.h"
#include "tests/planner/memory/oracle.h"

namespace arenite::memory {
namespace {

TEST(Conflicts, AnOverlapLeavesTheDistancesFromItsLeadOn) {
  PackProblem problem;
  problem.items = {{.size_bytes = 8, .lifetime = {0, 1}}, {.size_bytes = 10, .lifetime = {1, 2}}};
  EXPECT_EQ(find_conflicts(problem, Detail::kUses), (std::vector<Conflict>{{0, 1, -8, 10}}));
  problem.overlaps = {{0, 1, 4}};
  EXPECT_EQ(find_conflicts(problem, Detail::kUses), (std::vector<Conflict>{{0, 1, -8, 4}}));
  problem.overlaps = {{1, 0, 3}};  // the other way round
  EXPECT_EQ(find_conflicts(problem, Detail::kUses), (std::vector<Conflict>{{0, 1, -3, 10}}));
}

// Item 0 is two buffers with a hole of 6 bytes between them.
TEST(Conflicts, BuffersOfAGroupAreApart) {
  PackProblem problem;
  problem.items = {{.size_bytes = 10, .lifetime = {0, 1}, .in_parts = true},
                   {.root = 2, .size_bytes = 6, .lifetime = {0, 0}}};
  problem.items[0].parts = {{0, 0, {{0, 1}, {0, 2}}}, {1, 8, {{0, 1}, {8, 10}}}};
  EXPECT_EQ(find_conflicts(problem, Detail::kItems), (std::vector<Conflict>{{0, 1, -10, 6}}));
  const std::vector<Conflict> apart = {{0, 1, -10, -2}, {0, 1, -2, 6}};
  EXPECT_EQ(find_conflicts(problem, Detail::kBuffers), apart);
  EXPECT_EQ(find_conflicts(problem, Detail::kUses), apart);
  PrecedenceSearch search(problem, apart);
  Random random(1);
  EXPECT_EQ(search.run(9, 100, random), SearchEnd::kImpossible);
  EXPECT_EQ(search.run(10, 0, random), SearchEnd::kLimit);
  ASSERT_EQ(search.run(10, 100, random), SearchEnd::kFound);
  EXPECT_EQ(std::vector(search.offsets().begin(), search.offsets().end()),
            (std::vector<uint64_t>{0, 2}));
}

struct Kind {
  const char* name;
  bool overlaps, gaps, fixed, groups;
  uint32_t met_min;      // of 100 problems, so many end at the least height
  uint32_t optimal_min;  // and are proved
};

constexpr Kind kKinds[] = {
    {"plain", false, false, false, false, 100, 100},
    {"overlaps", true, false, false, false, 100, 100},
    {"gaps", false, true, false, false, 95, 90},
    {"fixed", false, false, true, false, 100, 100},
    {"groups", false, false, false, true, 100, 100},
    {"overlaps_in_groups", true, false, false, true, 100, 100},
    {"overlaps_with_gaps", true, true, false, false, 95, 90},
    {"all", true, true, true, true, 95, 90},
};

void add_gaps(Dice& dice, Buffer& buffer) {
  for (uint32_t next = buffer.lifetime.first; next <= buffer.lifetime.last && !dice.one_in(2);) {
    Gap gap;
    gap.steps.first = next + dice.below(buffer.lifetime.last - next + 1);
    gap.steps.last = gap.steps.first + dice.below(buffer.lifetime.last - gap.steps.first + 1);
    if (dice.one_in(2)) {
      const auto size = static_cast<uint32_t>(buffer.size_bytes);
      const uint64_t begin = dice.below(size);
      gap.in_use = {begin, begin + 1 + dice.below(size - static_cast<uint32_t>(begin))};
    }
    next = gap.steps.last + 1;
    buffer.gaps.push_back(gap);
  }
}

// Four or five buffers of a few bytes and steps.
Problem tiny(const Kind& kind, uint32_t seed) {
  Dice dice(seed);
  Problem problem = problem_of(unbounded(1 + dice.below(2)), {});
  const uint32_t count = 4 + dice.below(2);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t first = dice.below(5);
    Buffer made = buffer(1 + dice.below(5), first, first + dice.below(4));
    made.name = std::string(1, static_cast<char>('a' + i));
    if (kind.groups && i > 0 && dice.one_in(3)) {
      made.relative = Relative{dice.below(i), dice.below(4)};
    } else {
      made.alignment = 1 + dice.below(2);
      if (kind.fixed && i == 0) made.fixed = Placement{0, 2 * uint64_t{dice.below(3)}};
    }
    if (kind.gaps) add_gaps(dice, made);
    problem.buffers.push_back(made);
  }
  for (uint32_t i = 0; kind.overlaps && i < count; ++i) {
    for (uint32_t j = 0; j < count; ++j) {
      if (i == j || problem.buffers[i].lifetime.last != problem.buffers[j].lifetime.first) continue;
      if (!dice.one_in(3)) problem.overlaps.push_back({i, j, int64_t{dice.below(5)} - 1});
    }
  }
  return problem;
}

class ExactSearch : public testing::TestWithParam<Kind> {};

TEST_P(ExactSearch, MeetsWhatTryingAllFindsAndProvesNoMore) {
  const Kind& kind = GetParam();
  constexpr uint32_t kProblems = 200;
  uint32_t met = 0, optimal = 0;
  for (uint32_t seed = 0; seed < kProblems; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem problem = tiny(kind, seed);
    const std::optional<uint64_t> least = least_height(problem);
    ASSERT_TRUE(least);
    const Solution solution = solved(Algorithm::kSearch, problem);
    const std::optional<Finding> finding = verify(problem, solution);
    ASSERT_FALSE(finding) << finding->message;
    const MemoryReport report = make_report(problem, solution);
    ASSERT_GE(report.peak_sum_bytes, *least);
    ASSERT_LE(report.lower_bound_bytes, *least);
    ASSERT_TRUE(!report.optimal || report.peak_sum_bytes == *least);
    met += report.peak_sum_bytes == *least ? 1u : 0u;
    optimal += report.optimal ? 1u : 0u;
  }
  RecordProperty("met", static_cast<int>(met));
  RecordProperty("optimal", static_cast<int>(optimal));
  EXPECT_GE(met * 100, kind.met_min * kProblems);
  EXPECT_GE(optimal * 100, kind.optimal_min * kProblems);
}

// The first of two memories is too small for all: what does not pack there is cut off.
TEST_P(ExactSearch, TheBoundOnSlowTrafficHoldsAndIsOftenMet) {
  const Kind& kind = GetParam();
  constexpr uint32_t kProblems = 100;
  uint32_t least_found = 0, proved = 0;
  for (uint32_t seed = 0; seed < kProblems; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem problem = tiny(kind, seed);
    Dice dice(seed);
    problem.memories.insert(problem.memories.begin(),
                            Memory{.name = "fast", .size_bytes = 10u + dice.below(4)});
    if (problem.buffers[0].fixed) problem.buffers[0].fixed->memory = dice.below(2);
    for (Buffer& buffer : problem.buffers) buffer.reads = 1 + dice.below(3);
    const std::optional<uint64_t> least = least_slow_traffic(problem);
    ASSERT_TRUE(least);
    const Solution solution = solved(Algorithm::kSearch, problem);
    ASSERT_FALSE(verify(problem, solution));
    const MemoryReport report = make_report(problem, solution);
    ASSERT_GE(report.slow_traffic_bytes, *least);
    ASSERT_LE(report.slow_traffic_bound_bytes, *least);
    least_found += report.slow_traffic_bytes == *least ? 1u : 0u;
    proved += report.slow_traffic_bytes == report.slow_traffic_bound_bytes ? 1u : 0u;
  }
  RecordProperty("least", static_cast<int>(least_found));
  RecordProperty("proved", static_cast<int>(proved));
  EXPECT_GE(least_found, kProblems * 9 / 10);
  EXPECT_GE(proved, kProblems * 8 / 10);
}

INSTANTIATE_TEST_SUITE_P(Memory, ExactSearch, testing::ValuesIn(kKinds),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
