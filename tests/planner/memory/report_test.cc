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
  ASSERT_EQ(report.memories.size(), 2U);
  EXPECT_EQ(report.memories[0].peak_bytes, 80U);
  EXPECT_EQ(report.memories[0].lower_bound_bytes, 80U);
  EXPECT_EQ(report.memories[0].peak_step, 0U);
  EXPECT_EQ(report.memories[1].peak_bytes, 70U);         // d ends at 20 + 50
  EXPECT_EQ(report.memories[1].lower_bound_bytes, 60U);  // c alone at step 1
  EXPECT_EQ(report.memories[1].peak_step, 1U);
  EXPECT_EQ(report.total_peak_bytes, 90U);
  EXPECT_EQ(report.total_peak_step, 1U);
  EXPECT_EQ(report.peak_sum_bytes, 150U);
}

TEST(Report, Text) {
  EXPECT_EQ(to_text(two_memories()),
            "memory        base      size  peak  free  live at most  at step\n"
            "fast    0x20000000       100    80    20            80        0\n"
            "slow    0x60000000  no limit    70     -            60        1\n"
            "all memories together: 90 bytes live at step 1; the peaks sum to 150\n"
            "traffic: 0 of 0 bytes outside fast, lower bound 0, proved least\n"
            "  live there: c in slow, 60 bytes\n"
            "  live there: b in fast, 30 bytes\n");
}

TEST(Report, NothingPlaced) {
  const MemoryReport report = make_report(problem_of(unbounded(), {}), {});
  EXPECT_EQ(report.memories.at(0).peak_bytes, 0U);
  EXPECT_EQ(report.total_peak_bytes, 0U);
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
