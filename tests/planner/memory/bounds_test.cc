// Live bytes at each step and the lower bound, worked out by hand.
#include "planner/memory/problem/live_bytes.h"

#include <gtest/gtest.h>

#include "tests/planner/memory/build.h"

namespace arenite::memory {

bool operator==(const LiveSpan& a, const LiveSpan& b) {
  return a.first == b.first && a.last == b.last && a.bytes == b.bytes;
}

void PrintTo(const LiveSpan& span, std::ostream* out) {
  *out << "{" << span.first << ", " << span.last << ", " << span.bytes << "}";
}

namespace {

using Spans = std::vector<LiveSpan>;

TEST(Bounds, LiveBytesAtEachStep) {
  // a at 0-2, b at 2-3, nothing at 4, c at 5: both ends count.
  const Problem problem =
      problem_of(unbounded(), {buffer(10, 0, 2), buffer(7, 2, 3), buffer(5, 5, 5)});
  EXPECT_EQ(live_spans(problem), (Spans{{0, 1, 10}, {2, 2, 17}, {3, 3, 7}, {4, 4, 0}, {5, 5, 5}}));
  EXPECT_EQ(largest(live_spans(problem)), (LiveSpan{2, 2, 17}));
  EXPECT_EQ(lower_bound(problem), 17u);
}

TEST(Bounds, NothingLives) {
  EXPECT_TRUE(live_spans(problem_of(unbounded(), {})).empty());
  EXPECT_EQ(lower_bound(problem_of(unbounded(), {})), 0u);
  EXPECT_EQ(lower_bound(problem_of(unbounded(), {buffer(0, 0, 9)})), 0u);
}

TEST(Bounds, TheLastStepThereIs) {
  const Problem problem = problem_of(unbounded(), {buffer(3, 0, UINT32_MAX), buffer(4, 1, 1)});
  EXPECT_EQ(live_spans(problem), (Spans{{0, 0, 3}, {1, 1, 7}, {2, UINT32_MAX, 3}}));
}

TEST(Bounds, SharedBytesCountOnce) {
  // b is 20-60 of a, outlives it, and then counts on its own; c is 50-90 of a: with b 70 bytes.
  Problem problem =
      problem_of(unbounded(), {buffer(100, 0, 2), buffer(40, 1, 4), buffer(40, 3, 3)});
  problem.buffers[1].relative = Relative{0, 20};
  problem.buffers[2].relative = Relative{0, 50};
  EXPECT_EQ(live_spans(problem), (Spans{{0, 0, 100}, {1, 2, 100}, {3, 3, 70}, {4, 4, 40}}));
}

TEST(Bounds, GapsHoldNothing) {
  // Unsorted, touching gaps: a is live at 0-1, 5 and 8-9.
  Problem problem = problem_of(unbounded(), {buffer(10, 0, 9), buffer(4, 3, 3)});
  problem.buffers[0].gaps = {{6, 7}, {2, 3}, {4, 4}};
  EXPECT_EQ(
      live_spans(problem),
      (Spans{{0, 1, 10}, {2, 2, 0}, {3, 3, 4}, {4, 4, 0}, {5, 5, 10}, {6, 7, 0}, {8, 9, 10}}));
}

TEST(Bounds, AlignmentRoundsUpAllButTheTopmost) {
  // Alignment 16: 20, 5 and 16 take 32 + 16 + 16 = 64, of which 12, the padding of a, may lie
  // beyond the end. Reached by b at 0, c at 16 and a at 32-52.
  const Problem problem =
      problem_of(unbounded(16), {buffer(20, 0, 0), buffer(5, 0, 0), buffer(16, 0, 0)});
  EXPECT_EQ(lower_bound(problem), 52u);
}

TEST(Bounds, AFinerBufferMakesTheGranuleFiner) {
  // Alignments 8 and 12 share the granule 4: 5 -> 8, 9 -> 12, less the larger padding, 3.
  Problem problem = problem_of(unbounded(), {buffer(5, 0, 0), buffer(9, 0, 0)});
  problem.buffers[0].alignment = 8;
  problem.buffers[1].alignment = 12;
  EXPECT_EQ(lower_bound(problem), 17u);
  // A view 2 bytes in makes it 2: 6 + 10, less 1.
  problem.buffers.push_back(buffer(1, 0, 0));
  problem.buffers.back().relative = Relative{0, 2};
  EXPECT_EQ(lower_bound(problem), 15u);
}

TEST(Bounds, FixedBuffersReachTheirEnds) {
  Problem problem = problem_of(unbounded(), {buffer(5, 0, 0), buffer(9, 1, 1)});
  problem.buffers[0].fixed = Placement{0, 100};
  EXPECT_EQ(lower_bound(problem), 105u);
  problem.memories.push_back({.name = "slow"});
  problem.buffers[1].fixed = Placement{1, 50};
  EXPECT_EQ(lower_bound(problem), 164u);  // 105 in the one and 59 in the other
}

TEST(Bounds, OneMemoryOfSeveral) {
  const Problem problem = problem_of({{.name = "fast"}, {.name = "slow"}},
                                     {buffer(5, 0, 2), buffer(9, 1, 1), buffer(3, 1, 3)});
  const Solution solution = {{{0, 0}, {1, 0}, {0, 5}}};
  EXPECT_EQ(live_spans_in(CheckedProblem(problem), solution, 0),
            (Spans{{0, 0, 5}, {1, 2, 8}, {3, 3, 3}}));
  EXPECT_EQ(live_spans_in(CheckedProblem(problem), solution, 1), (Spans{{1, 1, 9}}));
  const std::vector<LiveBuffer> live = live_buffers_in(CheckedProblem(problem), solution, 0, 2);
  ASSERT_EQ(live.size(), 2u);
  EXPECT_EQ(live[0].name, "a");
  EXPECT_EQ(live[1].name, "c");
}

TEST(Bounds, WhatOverlapsMaySaveIsNotCounted) {
  // At step 1 both live: 100 + 60, of which the output may lie on all but the first 10 of its
  // bytes.
  Problem problem = problem_of(unbounded(), {buffer(100, 0, 1), buffer(60, 1, 2)});
  EXPECT_EQ(lower_bound(problem), 160u);
  problem.overlaps = {{0, 1, 10}};
  EXPECT_EQ(lower_bound(problem), 110u);
  problem.overlaps = {{0, 1, -30}};
  EXPECT_EQ(lower_bound(problem), 100u);
  problem.overlaps = {{0, 1, 60}};  // too far apart to share
  EXPECT_EQ(lower_bound(problem), 160u);
  problem.overlaps = {{1, 0, 0}};  // they do not meet this way round
  EXPECT_EQ(lower_bound(problem), 160u);
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
