// The page of a plan: its data, and that nothing in them can become markup or a script.
#include "planner/report/picture/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "planner/report/picture/page_data.h"
#include "planner/report/picture/page_parts.h"
#include "tests/planner/picture/drawn.h"

namespace arenite::picture {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Json data_of(const Section& section) {
  return Json::parse(page_data({"title", {}, {}, {}}, {&section, 1})).at("sections").at(0);
}

TEST(PageData, HasThePlan) {
  const Drawn drawn;
  const Json data = data_of(drawn.section);
  EXPECT_EQ(data.at("memories").at(0).at("size"), 100);
  EXPECT_TRUE(data.at("memories").at(1).at("size").is_null());
  EXPECT_EQ(data.at("memories").at(0).at("live"), Json::parse("[[0, 0, 80], [1, 2, 30]]"));
  EXPECT_THAT(data.at("tensors").at("bytes"), ElementsAre(80, 30, 60, 0));
  EXPECT_THAT(data.at("tensors").at("memory"), ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(data.at("tensors").at("last"), ElementsAre(0, 2, 1, 2));
  EXPECT_FALSE(data.contains("steps"));
}

TEST(PageData, SaysWhatFixesTiesAndShares) {
  memory::Problem problem = memory::problem_of(
      memory::unbounded(),
      {memory::buffer(64, 0, 1), memory::buffer(64, 1, 2), memory::buffer(16, 1, 2)});
  problem.overlaps = {{0, 1, 0}};
  problem.buffers[0].fixed = memory::Placement{0, 32};
  problem.buffers[2].relative = memory::Relative{1, 8};
  const memory::MemoryReport report = make_report(problem, {{{0, 32}, {0, 32}, {0, 40}}});
  const Json data = data_of({"title", "search", &report, nullptr});
  EXPECT_THAT(data.at("tensors").at("fixed"), ElementsAre(true, false, false));
  EXPECT_THAT(data.at("tensors").at("tied_to"), ElementsAre(nullptr, nullptr, 1));
  EXPECT_EQ(data.at("common"),
            Json::parse(R"([[0, 1, 32, 64, "over_input"], [1, 2, 40, 16, "part"]])"));
}

TEST(PageData, SaysWhenABufferHoldsNoData) {
  memory::Problem problem =
      memory::problem_of(memory::unbounded(), {memory::buffer(64, 0, 9), memory::buffer(64, 2, 3)});
  problem.buffers[0].gaps = {{4, 6}};
  const memory::MemoryReport report = make_report(problem, {{{0, 0}, {0, 64}}});
  const Json data = data_of({"title", "search", &report, nullptr});
  EXPECT_EQ(data.at("tensors").at("parts"), Json::parse("[[[0, 3, 0, 64], [7, 9, 0, 64]], null]"));
}

TEST(PageData, HasProgramMemories) {
  planner::ProgramMemoryReport flash;
  flash.board = "small";
  flash.name = "flash";
  flash.size_bytes = 1000;
  flash.program_bytes = 600;
  flash.holds_code = true;
  Json data =
      Json::parse(page_data({"title", {}, {}, {&flash, 1}}, {})).at("program_memories").at(0);
  EXPECT_EQ(data.at("used"), 600);
  EXPECT_EQ(data.at("size"), 1000);
  EXPECT_THAT(data.at("contents"), HasSubstr("program 600 bytes, code not counted"));
}

TEST(PageData, NumbersThatAScriptCannotHoldAreText) {
  const uint64_t large = (uint64_t{1} << 60) + 1;
  const memory::MemoryReport report = make_report(
      memory::problem_of(memory::unbounded(), {memory::buffer(large, 0, 0)}), {{{0, 0}}});
  const Json data = data_of({"title", "search", &report, nullptr});
  EXPECT_EQ(data.at("tensors").at("bytes").at(0), "1152921504606846977");
}

TEST(PageData, IsPlainAsciiWithoutMarkup) {
  Drawn drawn;
  const std::string hostile = "</script><!--<b a=\"'&\xE2\x80\xA8\xFF\x01";
  drawn.report.buffers[0].name = hostile;
  drawn.section.title = hostile;
  const std::string data = page_data({hostile, {hostile}, {}, {}}, {&drawn.section, 1});
  EXPECT_THAT(data, Not(HasSubstr("<")));
  EXPECT_THAT(data, Not(HasSubstr(">")));
  EXPECT_THAT(data, Not(HasSubstr("&")));
  for (const char c : data) EXPECT_TRUE(c >= ' ' && c < 0x7f) << static_cast<int>(c);
  const std::string name = Json::parse(data).at("sections").at(0).at("tensors").at("name").at(0);
  EXPECT_EQ(name, "</script><!--<b a=\"'&\xE2\x80\xA8\xEF\xBF\xBD\x01");
}

TEST(Page, EscapesItsTitleAndFacts) {
  const Drawn drawn;
  const std::string page =
      to_html({"<page>", {"<i>&"}, {{"<b>", {"<u>"}}}, {}}, {&drawn.section, 1});
  EXPECT_THAT(page, HasSubstr("<title>&lt;page&gt;</title>"));
  EXPECT_THAT(page, HasSubstr("<h1>&lt;page&gt;</h1>"));
  EXPECT_THAT(page, HasSubstr("<p class=\"fact\">&lt;i&gt;&amp;</p>"));
  EXPECT_THAT(page, HasSubstr("<p>&lt;b&gt;</p><ul><li>&lt;u&gt;</li></ul>"));
}

TEST(Page, IsTheSameForTheSamePlan) {
  const Drawn one, other;
  EXPECT_EQ(to_html({"page", {}, {}, {}}, {&one.section, 1}),
            to_html({"page", {}, {}, {}}, {&other.section, 1}));
}

TEST(Page, IsCompleteAndFetchesNothing) {
  std::string text;
  for (const PagePart& part : page_parts()) text += part.text;
  EXPECT_TRUE(text.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(text.ends_with("</html>\n"));
  EXPECT_THAT(text, HasSubstr("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(text, Not(HasSubstr("://")));
  EXPECT_THAT(text, Not(HasSubstr("{{")));
}

}  // namespace
}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
