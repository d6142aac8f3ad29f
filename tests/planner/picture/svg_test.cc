// The SVG of a plan: what is drawn where, its marks, and what it says of bytes in common.
#include "planner/report/picture/svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/planner/picture/drawn.h"

namespace arenite::picture {
namespace {

using memory::buffer;
using memory::kTotalBytesMax;
using memory::make_report;
using memory::problem_of;
using memory::unbounded;
using testing::HasSubstr;
using testing::Not;

TEST(Svg, OnePanelForEachMemoryInUse) {
  const Drawn drawn;
  const std::string svg = to_svg({"title", {}, {}, {}}, {&drawn.section, 1});
  EXPECT_THAT(svg, HasSubstr(">fast</text>"));
  EXPECT_THAT(svg, HasSubstr("peak 80 B of 100 B (80.0 %) \xC2\xB7 most live, 80 B, at step 0<"));
  EXPECT_THAT(svg, HasSubstr(">slow</text>"));
  EXPECT_THAT(svg, HasSubstr("peak 60 B \xC2\xB7 most live, 60 B, at step 1<"));
  EXPECT_THAT(svg, Not(HasSubstr("idle")));
  EXPECT_THAT(svg, HasSubstr("<title>b: 30 bytes at [0, 30), steps 1 to 2</title>"));
  EXPECT_THAT(svg, Not(HasSubstr("<title>d:")));  // no bytes, nothing to draw
}

TEST(Svg, MarksPeakBoundAndLimit) {
  const Drawn drawn;
  const std::string svg = to_svg({"title", {}, {}, {}}, {&drawn.section, 1});
  EXPECT_THAT(svg, HasSubstr("class=\"mark limit\">limit</text>"));
  EXPECT_THAT(svg, HasSubstr("class=\"mark peak\">peak = bound</text>"));
  EXPECT_THAT(svg, HasSubstr("<line class=\"limit\""));
  EXPECT_THAT(svg, Not(HasSubstr("class=\"beyond\"")));
}

TEST(Svg, ShowsWhatLiesBeyondTheLimit) {
  Drawn drawn;
  drawn.report.memories[0].size_bytes = 70;
  const std::string svg = to_svg({"title", {}, {}, {}}, {&drawn.section, 1});
  EXPECT_THAT(svg, HasSubstr("<title>beyond the limit of fast</title>"));
  EXPECT_THAT(svg, HasSubstr("class=\"over\"><title>a: 80 bytes"));
  EXPECT_THAT(svg, Not(HasSubstr("class=\"over\"><title>b:")));
}

TEST(Svg, SaysWhatDoesNotFit) {
  const Drawn drawn;
  const std::string svg =
      to_svg({"title", {}, {{"<ram> is short", {"more would do"}}}, {}}, {&drawn.section, 1});
  EXPECT_THAT(svg, HasSubstr(">&lt;ram&gt; is short</text>"));
  EXPECT_THAT(svg, HasSubstr(">more would do</text>"));
}

TEST(Svg, ShowsProgramMemoriesThatAreShort) {
  const Drawn drawn;
  planner::VariantReport variant;
  variant.board = "small";
  variant.tensors.resize(drawn.report.buffers.size());
  const Section section{"title", "search", &drawn.report, &variant};
  std::vector<planner::ProgramMemoryReport> memories(2);
  memories[0].board = "small";
  memories[0].name = "flash";
  memories[0].size_bytes = 1000;
  memories[0].program_bytes = 3000;
  memories[1] = memories[0];
  memories[1].name = "store";
  memories[1].size_bytes = 4000;
  const std::string svg = to_svg({"title", {}, {}, memories}, {&section, 1});
  EXPECT_THAT(svg, HasSubstr(">2.93 KiB of 1000 B, short by 1.95 KiB</text>"));
  EXPECT_THAT(svg, HasSubstr("class=\"short\"><title>program 3000 bytes</title>"));
  EXPECT_THAT(svg, Not(HasSubstr(">store<")));
}

TEST(Svg, HatchesBytesInCommon) {
  memory::Problem problem = problem_of(unbounded(), {buffer(64, 0, 1), buffer(64, 1, 2)});
  problem.overlaps = {{0, 1, 0}};
  const memory::MemoryReport report = make_report(problem, {{{0, 0}, {0, 0}}});
  const Section section{"title", "search", &report, nullptr};
  const std::string svg = to_svg({"title", {}, {}, {}}, {&section, 1});
  EXPECT_THAT(svg, HasSubstr("fill=\"url(#hatch)\"><title>64 bytes in common: b overwrites in "
                             "place a</title>"));
  EXPECT_THAT(svg, HasSubstr(">bytes shared on purpose</text>"));
}

TEST(Svg, TheFurthestStepAndTheLargestBuffer) {
  const memory::Problem problem = problem_of(
      unbounded(), {buffer(kTotalBytesMax - 8, UINT32_MAX, UINT32_MAX), buffer(1, 0, UINT32_MAX)});
  const memory::MemoryReport report = make_report(problem, {{{0, 1}, {0, 0}}});
  const Section section{"title", "search", &report, nullptr};
  EXPECT_THAT(to_svg({"title", {}, {}, {}}, {&section, 1}),
              HasSubstr("steps 4294967295 to 4294967295"));
}

TEST(Svg, NothingToDraw) {
  const memory::MemoryReport report = make_report(problem_of(unbounded(), {}), {});
  const Section section{"title", "search", &report, nullptr};
  EXPECT_THAT(to_svg({"title", {}, {}, {}}, {&section, 1}), HasSubstr("No memory holds anything."));
}

}  // namespace
}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
