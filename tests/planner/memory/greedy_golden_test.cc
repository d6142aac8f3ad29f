// Offsets of greedy_by_size worked out by hand from its description, one rule at a time.
#include <gtest/gtest.h>

#include "planner/memplan/csv.h"
#include "tests/planner/memory/build.h"

namespace arenite::memory {
namespace {

using Offsets = std::vector<uint64_t>;
using Memories = std::vector<uint32_t>;

Offsets greedy_offsets(const Problem& problem) {
  return offsets(solved(Algorithm::kGreedyBySize, problem));
}

TEST(GreedyGolden, ReusesTheBytesOfTheDead) {
  // b is born after a died, so it sees no obstacle and starts at 0.
  EXPECT_EQ(greedy_offsets(problem_of(unbounded(), {buffer(100, 0, 1), buffer(80, 2, 3)})),
            (Offsets{0, 0}));
}

TEST(GreedyGolden, LifetimesAreInclusiveAtBothEnds) {
  // Both live at step 2: b goes to the running end, 100.
  EXPECT_EQ(greedy_offsets(problem_of(unbounded(), {buffer(100, 0, 2), buffer(80, 2, 3)})),
            (Offsets{0, 100}));
}

TEST(GreedyGolden, CsvUpperIsHalfOpenAndEndIsInclusive) {
  // Half open, a lives at steps 0, 1 and b at 2, 3; inclusive, they meet at step 2.
  const std::vector<Memory> memory = unbounded();
  const CsvProblem half_open =
      read_csv("id,lower,upper,size\na,0,2,100\nb,2,4,80\n", "test", memory);
  EXPECT_EQ(greedy_offsets(half_open.problem()), (Offsets{0, 0}));
  const CsvProblem inclusive = read_csv("id,lower,end,size\na,0,2,100\nb,2,4,80\n", "test", memory);
  EXPECT_EQ(greedy_offsets(inclusive.problem()), (Offsets{0, 100}));
}

TEST(GreedyGolden, LargestFirstWhateverTheOrderGiven) {
  // c (90) to 0, b (50) after it to 90, a (20) after both to 140.
  EXPECT_EQ(greedy_offsets(
                problem_of(unbounded(), {buffer(20, 0, 9), buffer(50, 0, 9), buffer(90, 0, 9)})),
            (Offsets{140, 90, 0}));
}

TEST(GreedyGolden, EqualSizesGoByBirthThenByIndex) {
  // c is born first: 0. a and b are born together: a, the lower index, to 50, then b to 100.
  EXPECT_EQ(greedy_offsets(
                problem_of(unbounded(), {buffer(50, 3, 4), buffer(50, 3, 4), buffer(50, 0, 4)})),
            (Offsets{50, 100, 0}));
}

TEST(GreedyGolden, SmallerGapWinsOverTheLowerOne) {
  // a 0-100, b 100-190, c 190-270, d 270-340, e 340-400, all alive at step 0. At step 3 b and d are
  // dead: f finds the gaps 100-190 (90) and 270-340 (70) and takes the smaller one. (First fit
  // would take 100.)
  EXPECT_EQ(greedy_offsets(
                problem_of(unbounded(), {buffer(100, 0, 5), buffer(90, 0, 1), buffer(80, 0, 5),
                                         buffer(70, 0, 1), buffer(60, 0, 5), buffer(50, 3, 5)})),
            (Offsets{0, 100, 190, 270, 340, 270}));
}

TEST(GreedyGolden, AmongEqualGapsTheLowestWins) {
  // a 0-100, then the four of 90 one above the other; at step 3 the gaps 100-190 and 280-370 are
  // as large, and only a strictly smaller gap replaces the first.
  EXPECT_EQ(greedy_offsets(
                problem_of(unbounded(), {buffer(100, 0, 5), buffer(90, 0, 1), buffer(90, 0, 5),
                                         buffer(90, 0, 1), buffer(90, 0, 5), buffer(50, 3, 5)})),
            (Offsets{0, 100, 190, 280, 370, 100}));
}

TEST(GreedyGolden, AGapOfExactlyTheSizeHoldsIt) {
  // b dies and leaves 100-150 between a and c; d of 50 fits it to the byte.
  EXPECT_EQ(greedy_offsets(problem_of(unbounded(), {buffer(100, 0, 5), buffer(50, 0, 1),
                                                    buffer(50, 0, 5), buffer(50, 3, 5)})),
            (Offsets{0, 100, 150, 100}));
}

TEST(GreedyGolden, AGapTooSmallSendsItToTheRunningEnd) {
  // a 0-100, b 100-160, c 160-215. d takes the gap b left, 100-150; what is left of that gap,
  // 150-160, does not hold e (20), which goes to the end of c.
  EXPECT_EQ(
      greedy_offsets(problem_of(unbounded(), {buffer(100, 0, 5), buffer(60, 0, 1), buffer(55, 0, 5),
                                              buffer(50, 3, 5), buffer(20, 3, 5)})),
      (Offsets{0, 100, 160, 100, 215}));
}

TEST(GreedyGolden, RunningEndIsAdvancedByOverlappingBuffersOnly) {
  // a 0-100 is dead when b lives: b at 0-90. c overlaps b alone: its running end is 90, not a's
  // 100. d overlaps c (90-140) alone: the gap below it, 0-90, holds 40.
  EXPECT_EQ(greedy_offsets(problem_of(unbounded(), {buffer(100, 0, 0), buffer(90, 1, 1),
                                                    buffer(50, 1, 2), buffer(40, 2, 2)})),
            (Offsets{0, 0, 90, 0}));
}

TEST(GreedyGolden, RunningEndIsTheLargestEndNotTheLast) {
  // a 0-100 and b 0-30 never meet. c meets both: after a the running end is 100, and b, at the
  // same offset but shorter, does not pull it back to 30.
  EXPECT_EQ(greedy_offsets(
                problem_of(unbounded(), {buffer(100, 0, 1), buffer(30, 2, 3), buffer(20, 1, 2)})),
            (Offsets{0, 0, 100}));
}

TEST(GreedyGolden, MemoryAlignmentRoundsTheRunningEndUp) {
  // Alignment 16: a 0-100, b at 112 (100 up), ends at 162, c at 176 (162 up).
  EXPECT_EQ(greedy_offsets(
                problem_of(unbounded(16), {buffer(100, 0, 1), buffer(50, 0, 1), buffer(30, 0, 1)})),
            (Offsets{0, 112, 176}));
}

TEST(GreedyGolden, BufferAlignmentMakesAGapThatAnotherUses) {
  // b needs 64: from 100 up to 128. c needs nothing and fits the 28 bytes left below b.
  Problem problem =
      problem_of(unbounded(), {buffer(100, 0, 1), buffer(50, 0, 1), buffer(10, 0, 1)});
  problem.buffers[1].alignment = 64;
  EXPECT_EQ(greedy_offsets(problem), (Offsets{0, 128, 100}));
}

TEST(GreedyGolden, MemoryAndBufferAlignmentBothHold) {
  // Multiples of 4 (memory) and of 6 (buffer b) are multiples of 12: 10 goes up to 12; c only of
  // 4: b ends at 21, up to 24.
  Problem problem = problem_of(unbounded(4), {buffer(10, 0, 0), buffer(9, 0, 0), buffer(5, 0, 0)});
  problem.buffers[1].alignment = 6;
  EXPECT_EQ(greedy_offsets(problem), (Offsets{0, 12, 24}));
}

std::vector<Memory> fast_and_slow(uint64_t fast_bytes) {
  return {{.name = "fast", .size_bytes = fast_bytes}, {.name = "slow"}};
}

TEST(GreedyGolden, SpillsToTheNextMemoryAndComesBack) {
  // fast has 100: a (80) fits, b (60) would end at 140 and goes to slow, c (20) still fits at 80,
  // d (10) fits nowhere below 100 and goes after b.
  const Solution solution =
      solved(Algorithm::kGreedyBySize,
             problem_of(fast_and_slow(100),
                        {buffer(80, 0, 1), buffer(60, 0, 1), buffer(20, 0, 1), buffer(10, 0, 1)}));
  EXPECT_EQ(memories(solution), (Memories{0, 1, 0, 1}));
  EXPECT_EQ(offsets(solution), (Offsets{0, 0, 80, 60}));
}

TEST(GreedyGolden, FastMemoryIsSharedOverTime) {
  // The same sizes one after the other: all in the fast memory at 0.
  const Solution solution = solved(
      Algorithm::kGreedyBySize,
      problem_of(fast_and_slow(100), {buffer(80, 0, 1), buffer(60, 2, 3), buffer(90, 4, 4)}));
  EXPECT_EQ(memories(solution), (Memories{0, 0, 0}));
  EXPECT_EQ(offsets(solution), (Offsets{0, 0, 0}));
}

TEST(GreedyGolden, BarredFromAMemory) {
  // a may only be in slow; the fast memory is then free for b and c.
  Problem problem =
      problem_of(fast_and_slow(100), {buffer(80, 0, 1), buffer(60, 0, 1), buffer(40, 0, 1)});
  problem.buffers[0].allowed = {1};
  const Solution solution = solved(Algorithm::kGreedyBySize, problem);
  EXPECT_EQ(memories(solution), (Memories{1, 0, 0}));
  EXPECT_EQ(offsets(solution), (Offsets{0, 0, 60}));
}

TEST(GreedyGolden, TheAlignedEndMustFitTheMemory) {
  // fast has 100 bytes in units of 16: 98 bytes end at 98, aligned 112, so they go to slow; 90
  // bytes end at 96 aligned and stay.
  std::vector<Memory> two = fast_and_slow(100);
  two[0].alignment = 16;
  const Solution solution =
      solved(Algorithm::kGreedyBySize, problem_of(two, {buffer(98, 0, 1), buffer(90, 0, 1)}));
  EXPECT_EQ(memories(solution), (Memories{1, 0}));
}

TEST(GreedyGolden, WorksAroundFixedBuffers) {
  // a is fixed at 40-60. b (30) fits the gap 0-40, of which 30-40 is left: too small for c (25),
  // which goes to the end of a.
  Problem problem = problem_of(unbounded(), {buffer(20, 0, 9), buffer(30, 0, 9), buffer(25, 0, 9)});
  problem.buffers[0].fixed = Placement{0, 40};
  EXPECT_EQ(greedy_offsets(problem), (Offsets{40, 0, 60}));
}

TEST(GreedyGolden, AViewKeepsItsBaseAlive) {
  // b looks at 32-48 of a until step 5, two steps after a's own last use. c, born at 4, may
  // therefore not reuse a's bytes.
  Problem problem =
      problem_of(unbounded(), {buffer(100, 0, 3), buffer(16, 2, 5), buffer(90, 4, 6)});
  problem.buffers[1].relative = Relative{0, 32};
  EXPECT_EQ(greedy_offsets(problem), (Offsets{0, 32, 100}));
}

TEST(GreedyGolden, PartsOfAConcatenationReserveItBeforeItIsBorn) {
  // b and c are written straight into a (at 0 and 60) before a itself is born at step 3; d, alive
  // at step 1 only, must stay out of a's 100 bytes. e, a view of the part c, is resolved through
  // it.
  Problem problem = problem_of(unbounded(), {buffer(100, 3, 5), buffer(60, 0, 3), buffer(40, 2, 3),
                                             buffer(50, 1, 1), buffer(8, 2, 3)});
  problem.buffers[1].relative = Relative{0, 0};
  problem.buffers[2].relative = Relative{0, 60};
  problem.buffers[4].relative = Relative{2, 16};
  EXPECT_EQ(greedy_offsets(problem), (Offsets{0, 0, 60, 100, 76}));
}

TEST(GreedyGolden, ZeroBytesConflictWithNothing) {
  // a is first in size order; b, empty, is put into the smallest gap that holds 0 bytes: the one
  // of 0 bytes below a. c does not see b.
  EXPECT_EQ(greedy_offsets(
                problem_of(unbounded(), {buffer(10, 0, 1), buffer(0, 0, 1), buffer(10, 2, 3)})),
            (Offsets{0, 0, 0}));
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
