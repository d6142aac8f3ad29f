// Figures as people read them: bytes in units, addresses, the gap above a bound.
#include <gtest/gtest.h>

#include "planner/memory/report.h"
#include "tests/planner/memory/build.h"

namespace arenite::memory {
namespace {

TEST(Figures, InUnits) {
  EXPECT_EQ(bytes_text(1), "1 byte");
  EXPECT_EQ(bytes_text(1023), "1023 bytes");
  EXPECT_EQ(bytes_text(16384), "16384 bytes (16.0 KiB)");
  EXPECT_EQ(bytes_text(UINT64_MAX), "18446744073709551615 bytes (16.0 EiB)");
  EXPECT_EQ(address_text(0x30008000), "0x30008000");
  const Problem problem = problem_of(unbounded(), {buffer(80, 0, 0), buffer(30, 1, 2)});
  EXPECT_EQ(gap_text(make_report(problem, {{{0, 0}, {0, 60}}})), "12.50 %");  // 90 over 80
  EXPECT_EQ(gap_text(MemoryReport()), "0.00 %");
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
