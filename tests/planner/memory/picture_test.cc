// Pictures and pages of plans: escaped text, and what is drawn.
#include "planner/memory/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/memory/page.h"
#include "planner/memory/xml_text.h"
#include "tests/planner/memory/build.h"

namespace arenite::memory {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(XmlText, EscapesMarkup) {
  EXPECT_EQ(xml_text("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&#39;");
  EXPECT_EQ(xml_text(""), "");
  EXPECT_EQ(xml_text("t\tn\n"), "t\tn\n");
}

TEST(XmlText, KeepsCharactersAndReplacesWhatIsNone) {
  const std::string good = "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80";
  EXPECT_EQ(xml_text(good), good);
  const std::string no = "\xEF\xBF\xBD";
  EXPECT_EQ(xml_text(std::string("a\0b", 3)), "a" + no + "b");
  EXPECT_EQ(xml_text("\x1B[31m"), no + "[31m");
  EXPECT_EQ(xml_text("\xC3"), no);                    // cut short
  EXPECT_EQ(xml_text("\xC0\xAF"), no + no);           // longer than it needs
  EXPECT_EQ(xml_text("\xED\xA0\x80"), no + no + no);  // a surrogate
  EXPECT_EQ(xml_text("\xF5\x80\x80\x80"), no + no + no + no);
  EXPECT_EQ(xml_text("\xEF\xBF\xBF"), no + no + no);  // U+FFFF
}

TEST(Shortened, CutsBetweenCharacters) {
  EXPECT_EQ(shortened("conv_1", 6), "conv_1");
  EXPECT_EQ(shortened("conv_1", 5), "conv\xE2\x80\xA6");
  EXPECT_EQ(shortened("\xC3\xA9\xC3\xA9\xC3\xA9", 2), "\xC3\xA9\xE2\x80\xA6");
  EXPECT_EQ(shortened("abc", 0), "");
  EXPECT_EQ(shortened("\xFF\xFF\xFF", 2), "\xFF\xE2\x80\xA6");
}

struct Drawn {
  Drawn() {
    const Problem problem =
        problem_of({{.name = "fast", .size_bytes = 100}, {.name = "slow"}, {.name = "idle"}},
                   {buffer(80, 0, 0), buffer(30, 1, 2), buffer(60, 1, 1), buffer(0, 0, 2)});
    report = make_report(problem, {{{0, 0}, {0, 0}, {1, 0}, {0, 0}}});
  }
  MemoryReport report;
};

TEST(Picture, OnePanelForEachMemoryInUse) {
  const Drawn drawn;
  const ReportSection section{"title", &drawn.report, nullptr};
  const std::string svg = to_svg({&section, 1});
  EXPECT_THAT(svg, HasSubstr("fast: peak 80 bytes of 100 bytes, at least 80 live at step 0<"));
  EXPECT_THAT(svg, HasSubstr("slow: peak 60 bytes, at least 60 live at step 1<"));
  EXPECT_THAT(svg, Not(HasSubstr("idle")));
  // 1080 pixels for 3 steps from 96 on, 380 for 80 bytes from 92 on.
  EXPECT_THAT(svg, HasSubstr("<rect class=\"buffer\" x=\"96.00\" y=\"92.00\" width=\"360.00\" "
                             "height=\"380.00\""));
  EXPECT_THAT(svg, HasSubstr("<title>b: 30 bytes at [0, 30), steps 1 to 2</title>"));
  EXPECT_THAT(svg, Not(HasSubstr("<title>d:")));  // no bytes, nothing to draw
}

TEST(Picture, StepsByTheirNames) {
  const Drawn drawn;
  const ReportSection section{"title", &drawn.report,
                              [](uint32_t step) { return "<step " + std::to_string(step) + ">"; }};
  const std::string page = to_html("<page>", {}, {&section, 1});
  EXPECT_THAT(page, HasSubstr("<h1>&lt;page&gt;</h1>"));
  EXPECT_THAT(page, HasSubstr("<td>&lt;step 2&gt;</td>"));
  EXPECT_THAT(page, HasSubstr("live at &lt;step 1&gt;"));
}

TEST(Picture, TheFurthestStepAndTheLargestBuffer) {
  Problem problem = problem_of(
      unbounded(), {buffer(kTotalBytesMax - 8, UINT32_MAX, UINT32_MAX), buffer(1, 0, UINT32_MAX)});
  const MemoryReport report = make_report(problem, {{{0, 1}, {0, 0}}});
  const ReportSection section{"title", &report, nullptr};
  EXPECT_THAT(to_svg({&section, 1}), HasSubstr("steps 4294967295 to 4294967295"));
}

TEST(Figures, InUnits) {
  EXPECT_EQ(bytes_text(1), "1 byte");
  EXPECT_EQ(bytes_text(1023), "1023 bytes");
  EXPECT_EQ(bytes_text(16384), "16384 bytes (16.0 KiB)");
  EXPECT_EQ(bytes_text(UINT64_MAX), "18446744073709551615 bytes (16.0 EiB)");
  EXPECT_EQ(address_text(0x30008000), "0x30008000");
  EXPECT_EQ(gap_text(Drawn().report), "55.56 %");  // 140 over 90
  EXPECT_EQ(gap_text(MemoryReport()), "0.00 %");
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
