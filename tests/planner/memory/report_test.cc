// The report of a plan: peaks by memory, the worst step of all memories together, the table.
#include "planner/memory/report.h"

#include <gtest/gtest.h>

#include "tests/planner/memory/build.h"

namespace arenite::memory {
namespace {

// fast peaks at step 0 (80), slow at step 2 (70); together most is live at step 1: 30 + 60 = 90.
MemoryReport two_memories() {
  const Problem problem =
      problem_of({{.name = "fast", .base = 0x20000000, .size_bytes = 100},
                  {.name = "slow", .base = 0x60000000}},
                 {buffer(80, 0, 0), buffer(30, 1, 2), buffer(60, 1, 1), buffer(50, 2, 2)});
  return make_report(problem, {{{0, 0}, {0, 0}, {1, 0}, {1, 20}}});
}

TEST(Report, PeaksOfEachMemoryAndOfAllTogether) {
  const MemoryReport report = two_memories();
  ASSERT_EQ(report.memories.size(), 2u);
  EXPECT_EQ(report.memories[0].peak_bytes, 80u);
  EXPECT_EQ(report.memories[0].lower_bound_bytes, 80u);
  EXPECT_EQ(report.memories[0].peak_step, 0u);
  EXPECT_EQ(report.memories[1].peak_bytes, 70u);         // d ends at 20 + 50
  EXPECT_EQ(report.memories[1].lower_bound_bytes, 60u);  // c alone at step 1
  EXPECT_EQ(report.memories[1].peak_step, 1u);
  EXPECT_EQ(report.total_peak_bytes, 90u);
  EXPECT_EQ(report.total_peak_step, 1u);
  EXPECT_EQ(report.peak_sum_bytes, 150u);
}

TEST(Report, Text) {
  EXPECT_EQ(
      to_text(two_memories()),
      "traffic: 0 of 0 bytes outside fast, lower bound 0, proved least\n"
      "what lies in slow takes 70 bytes, lower bound 60, not proved least, 10 bytes above it\n"
      "memory        base      size  peak  free  live at most  at step\n"
      "fast    0x20000000       100    80    20            80        0\n"
      "slow    0x60000000  no limit    70     -            60        1\n"
      "all memories together: 90 bytes live at step 1; the peaks sum to 150\n"
      "  live there: c in slow, 60 bytes\n"
      "  live there: b in fast, 30 bytes\n");
}

TEST(Report, OneMemoryInUseHasABoundAndAGap) {
  const Problem problem = problem_of({{.name = "fast", .size_bytes = 100}, {.name = "slow"}},
                                     {buffer(40, 0, 0), buffer(30, 1, 1)});
  EXPECT_EQ(headline(make_report(problem, {{{0, 0}, {0, 20}}})),
            "traffic: 0 of 0 bytes outside fast, lower bound 0, proved least\n"
            "fast: lower bound 40, gap 25.00 %, not proved optimal\n");
}

// A proof about what lies in the only memory in use is the bound that the gap is to.
TEST(Report, TheGapIsToTheBoundThatIsProved) {
  const Problem problem = problem_of({{.name = "fast", .size_bytes = 100}, {.name = "slow"}},
                                     {buffer(40, 0, 0), buffer(30, 1, 1)});
  Solution solution = {{{0, 0}, {0, 20}}};
  solution.lower_bounds = {50, 0};
  EXPECT_EQ(headline(make_report(problem, solution)),
            "traffic: 0 of 0 bytes outside fast, lower bound 0, proved least\n"
            "fast: lower bound 50, gap 0.00 %, optimal\n");
}

TEST(Report, WhatPassesTheEndIsShort) {
  const Problem problem =
      problem_of({{.name = "fast", .size_bytes = 100}}, {buffer(80, 0, 1), buffer(50, 1, 1)});
  const MemoryReport report = make_report(problem, {{{0, 0}, {0, 80}}});
  EXPECT_EQ(report.memories[0].short_bytes(), 30u);
  EXPECT_EQ(report.memories[0].free_bytes(), 0u);
  EXPECT_NE(to_text(report).find("100   130   -30"), std::string::npos) << to_text(report);
}

TEST(Report, BytesInCommonOnPurposeAreSaid) {
  // b over the last 30 bytes of a, which dies at its birth; d inside c.
  Problem problem = problem_of(
      unbounded(), {buffer(50, 0, 1), buffer(60, 1, 2), buffer(40, 1, 1), buffer(10, 1, 1)});
  problem.overlaps = {{0, 1, 20}};
  problem.buffers[3].relative = {2, 5};
  const MemoryReport report = make_report(problem, {{{0, 20}, {0, 0}, {0, 100}, {0, 105}}});
  EXPECT_EQ(report.total_peak_bytes, 110u);
  ASSERT_EQ(report.common.size(), 2u);
  EXPECT_EQ(report.common[0].offset, 20u);
  EXPECT_EQ(report.common[0].bytes, 40u);
  EXPECT_EQ(report.common[0].why, CommonWhy::kOverInput);
  EXPECT_EQ(report.common[1].owner, 2u);
  EXPECT_EQ(report.common[1].guest, 3u);
  EXPECT_EQ(report.common[1].bytes, 10u);
  EXPECT_EQ(report.common[1].why, CommonWhy::kPart);
  EXPECT_EQ(report.live_union_bytes, 110u);
  const std::string text = to_text(report);
  EXPECT_NE(text.find("  live there: b in memory, 60 bytes\n"
                      "  live there: a in memory, 50 bytes, of which 40 in common with b\n"
                      "  live there: c in memory, 40 bytes\n"
                      "  the sizes of what lives there sum to 150, 40 of them in common on "
                      "purpose: 110 bytes hold data\n"),
            std::string::npos)
      << text;
}

TEST(Report, NothingPlaced) {
  const MemoryReport report = make_report(problem_of(unbounded(), {}), {});
  EXPECT_EQ(report.memories.at(0).peak_bytes, 0u);
  EXPECT_EQ(report.total_peak_bytes, 0u);
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
