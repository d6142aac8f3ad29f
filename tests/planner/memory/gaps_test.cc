// Gaps: buffers that hold no data for a while, or only some of their bytes, make room for others.
#include <gtest/gtest.h>

#include "planner/memory/assign/assign.h"
#include "planner/memory/problem/live_bytes.h"
#include "planner/memory/problem/verify.h"
#include "planner/memory/report.h"
#include "tests/planner/memory/build.h"
#include "tests/planner/memory/generators.h"
#include "tests/planner/memory/oracle.h"

namespace arenite::memory {
namespace {

constexpr Algorithm kGapAlgorithms[] = {Algorithm::kGreedyFirstFit, Algorithm::kGreedyBySize,
                                        Algorithm::kPortfolio, Algorithm::kSearch};

Buffer with_gaps(Buffer made, std::vector<Gap> gaps) {
  made.gaps = std::move(gaps);
  return made;
}

// a holds nothing while b lives.
Problem one_in_the_other() {
  return problem_of(unbounded(), {with_gaps(buffer(20, 0, 9), {{{3, 6}}}), buffer(20, 3, 6)});
}

TEST(Gaps, APlanOfFortyIsNotOptimalWhereTwentyDo) {
  const Problem problem = one_in_the_other();
  EXPECT_EQ(lower_bound(problem), 20u);
  for (const Algorithm algorithm : kGapAlgorithms) {
    const Solution solution = solved(algorithm, problem);
    EXPECT_FALSE(verify(problem, solution));
    const MemoryReport report = make_report(problem, solution);
    EXPECT_EQ(report.peak_sum_bytes, 20u) << name_of(algorithm);
    EXPECT_TRUE(report.optimal) << name_of(algorithm);
  }
  const MemoryReport naive = make_report(problem, solved(Algorithm::kNaive, problem));
  EXPECT_EQ(naive.peak_sum_bytes, 40u);
  EXPECT_EQ(naive.lower_bound_bytes, 20u);
  EXPECT_FALSE(naive.optimal);
}

// minimalloc's own example ("Tetris"): two buffers of 2 that keep one byte each in turn.
TEST(Gaps, BytesInUseInterlock) {
  const Problem problem =
      problem_of(unbounded(), {with_gaps(buffer(2, 0, 9), {{{0, 4}, ByteRange{0, 1}}}),
                               with_gaps(buffer(2, 0, 9), {{{5, 9}, ByteRange{1, 2}}})});
  EXPECT_EQ(lower_bound(problem), 3u);
  for (const Algorithm algorithm : {Algorithm::kPortfolio, Algorithm::kSearch}) {
    const Solution solution = solved(algorithm, problem);
    EXPECT_FALSE(verify(problem, solution));
    EXPECT_TRUE(make_report(problem, solution).optimal);
  }
}

TEST(Gaps, ForbiddenStartsAreThoseOfMinimalloc) {
  // Lives 0-9 and 5-14, sizes 4 and 5; what they keep clear of each other are the effective sizes.
  const auto range = [](std::vector<Gap> a, std::vector<Gap> b) {
    const Problem problem = problem_of(unbounded(), {with_gaps(buffer(4, 0, 9), std::move(a)),
                                                     with_gaps(buffer(5, 5, 14), std::move(b))});
    const CheckedProblem checked(problem);
    return forbidden_starts(checked.items()[0], checked.items()[1]);
  };
  const auto expect = [&](const Forbidden& found, int64_t a_below, int64_t b_below) {
    EXPECT_TRUE(found.any());
    EXPECT_EQ(found.low, -a_below);
    EXPECT_EQ(found.high, b_below);
  };
  expect(range({}, {}), 4, 5);
  expect(range({{{1, 3}}, {{6, 8}}}, {{{6, 8}}, {{11, 13}}}), 4, 5);
  EXPECT_FALSE(range({{{1, 8}}}, {{{6, 13}}}).any());
  EXPECT_FALSE(range({}, {{{5, 9}}}).any());
  EXPECT_FALSE(range({{{5, 9}}}, {}).any());
  expect(range({{{5, 9}, ByteRange{1, 3}}}, {}), 3, 4);
  expect(range({{{5, 9}, ByteRange{1, 3}}}, {{{5, 14}, ByteRange{4, 5}}}), -1, 4);
}

TEST(Gaps, AGroupIsInUseFromItsFirstByteInUseToItsLast) {
  // The part at 10 .. 15 alone is in use at steps 3 to 6, so 10 bytes are free below it.
  Problem problem = problem_of(
      unbounded(), {with_gaps(buffer(16, 0, 9), {{{3, 6}}}), buffer(6, 2, 7), buffer(10, 3, 6)});
  problem.buffers[1].relative = Relative{0, 10};
  for (const Algorithm algorithm : kGapAlgorithms) {
    const Solution solution = solved(algorithm, problem);
    EXPECT_FALSE(verify(problem, solution));
    EXPECT_EQ(offsets(solution), (std::vector<uint64_t>{0, 10, 0})) << name_of(algorithm);
  }
}

TEST(Gaps, FixedBuffersMayLieInAGap) {
  Problem problem = one_in_the_other();
  problem.buffers[0].fixed = problem.buffers[1].fixed = Placement{0, 8};
  EXPECT_EQ(offsets(solved(Algorithm::kSearch, problem)), (std::vector<uint64_t>{8, 8}));
  problem.buffers[1].lifetime.last = 7;
  EXPECT_NE(input_error([&] { validate(problem); }).find("overlap"), std::string::npos);
}

TEST(Gaps, AnOutputFollowsAnInputWhoseGapEndsAtItsDeath) {
  // a yields its bytes to b at step 4 from 5 bytes on; c lies in a's gap.
  Problem problem = problem_of(
      unbounded(), {with_gaps(buffer(20, 0, 4), {{{2, 3}}}), buffer(20, 4, 6), buffer(25, 2, 3)});
  problem.overlaps = {{0, 1, 5}};
  for (const Algorithm algorithm : {Algorithm::kPortfolio, Algorithm::kSearch}) {
    const Solution solution = solved(algorithm, problem);
    EXPECT_FALSE(verify(problem, solution));
    const MemoryReport report = make_report(problem, solution);
    EXPECT_EQ(report.peak_sum_bytes, 25u);
    EXPECT_TRUE(report.optimal);
  }
}

// Up to five buffers of a few bytes and steps, most with gaps, some fixed.
Problem tiny_problem(uint32_t seed, uint32_t memories) {
  Dice dice(seed);
  Problem problem;
  for (uint32_t m = 0; m < memories; ++m) {
    Memory memory{.name = "memory" + std::to_string(m)};
    memory.alignment = 1 + dice.below(2);
    if (m + 1 != memories) memory.size_bytes = 2 + dice.below(7);
    problem.memories.push_back(memory);
  }
  const uint32_t count = 2 + dice.below(3 - memories / 2) + dice.below(2);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t first = dice.below(5);
    Buffer made = buffer(1 + dice.below(5), first, first + dice.below(6));
    made.name = std::string(1, static_cast<char>('a' + i));
    made.alignment = 1 + dice.below(2);
    made.reads = dice.below(4);
    for (uint32_t next = first; next <= made.lifetime.last && !dice.one_in(3);) {
      Gap gap;
      gap.steps.first = next + dice.below(made.lifetime.last - next + 1);
      gap.steps.last = gap.steps.first + dice.below(made.lifetime.last - gap.steps.first + 1);
      if (dice.one_in(2)) {
        const uint64_t begin = dice.below(static_cast<uint32_t>(made.size_bytes));
        gap.in_use = {begin,
                      begin + 1 + dice.below(static_cast<uint32_t>(made.size_bytes - begin))};
      }
      next = gap.steps.last + 1;
      made.gaps.push_back(gap);
    }
    if (i == 0 && dice.one_in(4)) made.fixed = Placement{memories - 1, 2 * uint64_t{dice.below(2)}};
    problem.buffers.push_back(made);
  }
  return problem;
}

TEST(Gaps, NoPlanIsBelowWhatTryingAllFindsAndNoneIsCalledOptimalAboveIt) {
  uint32_t met = 0, optimal = 0;
  constexpr uint32_t kProblems = 400;
  for (uint32_t seed = 0; seed < kProblems; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem problem = tiny_problem(seed, 1);
    const std::optional<uint64_t> least = least_height(problem);
    ASSERT_TRUE(least);
    ASSERT_LE(lower_bound(problem), *least);
    for (const Algorithm algorithm : kGapAlgorithms) {
      const Solution solution = solved(algorithm, problem);
      const std::optional<Finding> finding = verify(problem, solution);
      ASSERT_FALSE(finding) << finding->message;
      const MemoryReport report = make_report(problem, solution);
      ASSERT_GE(report.peak_sum_bytes, *least);
      ASSERT_LE(report.lower_bound_bytes, *least);
      ASSERT_TRUE(!report.optimal || report.peak_sum_bytes == *least);
      if (algorithm != Algorithm::kSearch) continue;
      met += report.peak_sum_bytes == *least ? 1u : 0u;
      optimal += report.optimal ? 1u : 0u;
    }
  }
  RecordProperty("met", static_cast<int>(met));
  RecordProperty("optimal", static_cast<int>(optimal));
  EXPECT_GT(met, kProblems * 95 / 100);
  EXPECT_GT(optimal, kProblems * 75 / 100);
}

TEST(Gaps, TheBoundOnSlowTrafficHolds) {
  uint32_t proved = 0, fitting = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem problem = tiny_problem(seed, 2);
    const std::optional<uint64_t> least = least_slow_traffic(problem);
    ASSERT_TRUE(least);
    const Outcome outcome = plan(Algorithm::kSearch, problem);
    const auto* solution = std::get_if<Solution>(&outcome);
    if (solution == nullptr) continue;
    ++fitting;
    const MemoryReport report = make_report(problem, *solution);
    ASSERT_GE(report.slow_traffic_bytes, *least);
    ASSERT_LE(report.slow_traffic_bound_bytes, *least);
    ASSERT_LE(slow_traffic_bound(CheckedProblem(problem), *least), *least);
    proved += report.slow_traffic_bound_bytes == report.slow_traffic_bytes ? 1u : 0u;
  }
  RecordProperty("proved", static_cast<int>(proved));
  EXPECT_GT(proved, fitting / 2);
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
