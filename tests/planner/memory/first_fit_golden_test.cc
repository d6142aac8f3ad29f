// Offsets of greedy_first_fit worked out by hand from its description, one rule at a time.
#include <gtest/gtest.h>

#include "tests/planner/memory/build.h"

namespace arenite::memory {
namespace {

using Offsets = std::vector<uint64_t>;
using Memories = std::vector<uint32_t>;

Offsets first_fit_offsets(const Problem& problem) {
  return offsets(solved(Algorithm::kGreedyFirstFit, problem));
}

TEST(FirstFitGolden, ReusesTheBytesOfTheDead) {
  // b is born after a died: nothing is in the way at 0.
  EXPECT_EQ(first_fit_offsets(problem_of(unbounded(), {buffer(100, 0, 1), buffer(80, 2, 3)})),
            (Offsets{0, 0}));
}

TEST(FirstFitGolden, LifetimesAreInclusiveAtBothEnds) {
  // Both live at step 2: b moves to the end of a.
  EXPECT_EQ(first_fit_offsets(problem_of(unbounded(), {buffer(100, 0, 2), buffer(80, 2, 3)})),
            (Offsets{0, 100}));
}

TEST(FirstFitGolden, LargestFirstThenByBirthThenByIndex) {
  // d (90) to 0; of the three of 50 the one born first, c, to 90, then a to 140 and b to 190.
  EXPECT_EQ(first_fit_offsets(problem_of(unbounded(), {buffer(50, 3, 4), buffer(50, 3, 4),
                                                       buffer(50, 0, 4), buffer(90, 0, 4)})),
            (Offsets{140, 190, 90, 0}));
}

TEST(FirstFitGolden, TheLowestGapWinsOverASmallerOne) {
  // a 0-100, b 100-190, c 190-270, d 270-340, e 340-400, all alive at step 0. At step 3 b and d are
  // dead: f is moved by a to 100, where nothing is in the way. (Best gap takes 270.)
  EXPECT_EQ(first_fit_offsets(
                problem_of(unbounded(), {buffer(100, 0, 5), buffer(90, 0, 1), buffer(80, 0, 5),
                                         buffer(70, 0, 1), buffer(60, 0, 5), buffer(50, 3, 5)})),
            (Offsets{0, 100, 190, 270, 340, 100}));
}

TEST(FirstFitGolden, AGapOfExactlyTheSizeHoldsIt) {
  // b dies and leaves 100-150 between a and c; d of 50 fits it to the byte.
  EXPECT_EQ(first_fit_offsets(problem_of(unbounded(), {buffer(100, 0, 5), buffer(50, 0, 1),
                                                       buffer(50, 0, 5), buffer(50, 3, 5)})),
            (Offsets{0, 100, 150, 100}));
}

TEST(FirstFitGolden, AGapTooSmallIsPassedOver) {
  // a 0-100, b 100-160, c 160-215. d takes 100-150 where b was; e (20) is moved by a to 100, by d
  // to 150, by c, which begins at 160, to 215.
  EXPECT_EQ(first_fit_offsets(
                problem_of(unbounded(), {buffer(100, 0, 5), buffer(60, 0, 1), buffer(55, 0, 5),
                                         buffer(50, 3, 5), buffer(20, 3, 5)})),
            (Offsets{0, 100, 160, 100, 215}));
}

TEST(FirstFitGolden, AShorterObstacleDoesNotPullItBack) {
  // a 0-100 and b 0-30 never meet. c meets both: a moves it to 100, where b is not in the way.
  EXPECT_EQ(first_fit_offsets(
                problem_of(unbounded(), {buffer(100, 0, 1), buffer(30, 2, 3), buffer(20, 1, 2)})),
            (Offsets{0, 0, 100}));
}

TEST(FirstFitGolden, MovesToTheAlignedEnd) {
  // Alignment 16: a 0-100, b at 112 (100 up), ends at 162, c at 176 (162 up).
  EXPECT_EQ(first_fit_offsets(
                problem_of(unbounded(16), {buffer(100, 0, 1), buffer(50, 0, 1), buffer(30, 0, 1)})),
            (Offsets{0, 112, 176}));
}

TEST(FirstFitGolden, AGapTooSmallOnceAlignedIsPassedOver) {
  // a 0-100, b 100-150, c 150-195. At step 3 b is dead and leaves 100-150. d (30) needs 64: moved
  // by a to 128, where its end, 158, runs into c; moved by c to 256 (195 up). e (25), which needs
  // nothing, takes 100.
  Problem problem = problem_of(unbounded(), {buffer(100, 0, 5), buffer(50, 0, 1), buffer(45, 0, 5),
                                             buffer(30, 3, 5), buffer(25, 3, 5)});
  problem.buffers[3].alignment = 64;
  EXPECT_EQ(first_fit_offsets(problem), (Offsets{0, 100, 150, 256, 100}));
}

TEST(FirstFitGolden, MemoryAndBufferAlignmentBothHold) {
  // Multiples of 4 (memory) and of 6 (buffer b) are multiples of 12: 10 goes up to 12; c only of
  // 4: b ends at 21, up to 24.
  Problem problem = problem_of(unbounded(4), {buffer(10, 0, 0), buffer(9, 0, 0), buffer(5, 0, 0)});
  problem.buffers[1].alignment = 6;
  EXPECT_EQ(first_fit_offsets(problem), (Offsets{0, 12, 24}));
}

std::vector<Memory> three_memories() {
  return {{.name = "fast", .size_bytes = 100},
          {.name = "middle", .size_bytes = 120, .alignment = 16},
          {.name = "slow"}};
}

TEST(FirstFitGolden, GoesThroughTheHierarchyInOrder) {
  // a (110) passes the end of fast: middle, ending at 112 aligned. b (90) fits fast. c (60): 90-150
  // passes the end of fast, 112-172 that of middle: slow. d (10) fits fast at 90, e (5) fits
  // neither 100-105 in fast; in middle its aligned end would be 128: slow, at 60.
  const Solution solution =
      solved(Algorithm::kGreedyFirstFit,
             problem_of(three_memories(), {buffer(110, 0, 1), buffer(90, 0, 1), buffer(60, 0, 1),
                                           buffer(10, 0, 1), buffer(5, 0, 1)}));
  EXPECT_EQ(memories(solution), (Memories{1, 0, 2, 0, 2}));
  EXPECT_EQ(offsets(solution), (Offsets{0, 0, 0, 90, 60}));
}

TEST(FirstFitGolden, FastMemoryIsSharedOverTime) {
  const Solution solution =
      solved(Algorithm::kGreedyFirstFit,
             problem_of(three_memories(), {buffer(80, 0, 1), buffer(60, 2, 3), buffer(90, 4, 4)}));
  EXPECT_EQ(memories(solution), (Memories{0, 0, 0}));
  EXPECT_EQ(offsets(solution), (Offsets{0, 0, 0}));
}

TEST(FirstFitGolden, BarredFromMemories) {
  // a may not be in fast, b neither in fast nor in middle; c has fast to itself.
  Problem problem =
      problem_of(three_memories(), {buffer(80, 0, 1), buffer(60, 0, 1), buffer(40, 0, 1)});
  problem.buffers[0].allowed = {1, 2};
  problem.buffers[1].allowed = {2};
  const Solution solution = solved(Algorithm::kGreedyFirstFit, problem);
  EXPECT_EQ(memories(solution), (Memories{1, 2, 0}));
  EXPECT_EQ(offsets(solution), (Offsets{0, 0, 0}));
}

TEST(FirstFitGolden, WorksAroundFixedBuffers) {
  // a is fixed at 40-60. b (45) is moved to its end, 60. c (30) fits below a. d (15): 30-45 runs
  // into a, 60-75 into b: 105.
  Problem problem = problem_of(
      unbounded(), {buffer(20, 0, 9), buffer(45, 0, 9), buffer(30, 0, 9), buffer(15, 0, 9)});
  problem.buffers[0].fixed = Placement{0, 40};
  EXPECT_EQ(first_fit_offsets(problem), (Offsets{40, 60, 0, 105}));
}

TEST(FirstFitGolden, PartsOfAConcatenationReserveItAndViewsKeepItAlive) {
  // b and c are parts of a (at 0 and 60), born before it; d, a view of part c, outlives it to step
  // 6. The whole takes 0-100 from step 0 to 6: e (50, step 1) and f (40, step 6) both go after it.
  Problem problem = problem_of(unbounded(), {buffer(100, 3, 5), buffer(60, 0, 3), buffer(40, 2, 3),
                                             buffer(8, 2, 6), buffer(50, 1, 1), buffer(40, 6, 6)});
  problem.buffers[1].relative = Relative{0, 0};
  problem.buffers[2].relative = Relative{0, 60};
  problem.buffers[3].relative = Relative{2, 16};
  EXPECT_EQ(first_fit_offsets(problem), (Offsets{0, 0, 60, 76, 100, 100}));
}

TEST(FirstFitGolden, ZeroBytesConflictWithNothing) {
  // b, empty, overlaps nothing at 0, and c does not see it.
  EXPECT_EQ(first_fit_offsets(
                problem_of(unbounded(), {buffer(10, 0, 1), buffer(0, 0, 1), buffer(10, 2, 3)})),
            (Offsets{0, 0, 0}));
}

TEST(FirstFitGolden, WhatFitsNowhereIsNamed) {
  // a leaves 20 of 100 bytes; b needs 30.
  const Outcome outcome =
      plan(Algorithm::kGreedyFirstFit,
           problem_of({{.name = "ram", .size_bytes = 100}}, {buffer(80, 0, 1), buffer(30, 1, 2)}));
  const auto& error = std::get<DoesNotFit>(outcome);
  EXPECT_EQ(error.first_unplaced.name, "b");
  EXPECT_EQ(error.short_bytes, 10u);
  EXPECT_TRUE(error.proven);
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
