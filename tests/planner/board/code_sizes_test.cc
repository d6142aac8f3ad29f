// Tables of code sizes: what firmware with certain forms is estimated to take.
#include "planner/board/code_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/graph/graph.h"

namespace arenite::planner {
namespace {

using testing::HasSubstr;

constexpr const char* kTable = R"({
  "toolchain": "t", "always_bytes": 1000, "always": {"runtime": 1000},
  "groups": [{"forms": ["A.form0"], "bytes": 100}, {"forms": ["B.form0"], "bytes": 10},
             {"forms": ["A.form0", "B.form0"], "bytes": 5},
             {"forms": ["B.form0", "B.form1"], "bytes": 1}]})";

TEST(CodeSizes, WhatFormsShareCountsOnce) {
  const CodeSizes sizes = read_code_sizes(kTable, "t.json");
  const auto bytes = [&](std::vector<std::string> forms) { return code_bytes(sizes, forms); };
  EXPECT_EQ(bytes({}), 1000u);
  EXPECT_EQ(bytes({"A.form0"}), 1000u + 16 + 4 + 100 + 5);
  EXPECT_EQ(bytes({"A.form0", "B.form0"}), 1000u + 32 + 8 + 100 + 10 + 5 + 1);
  EXPECT_EQ(bytes({"B.form0", "B.form1"}), 1000u + 16 + 8 + 10 + 5 + 1);
  EXPECT_EQ(bytes({"A.form0", "D.form0"}), std::nullopt) << "a form that the table lacks";
}

TEST(CodeSizes, TheStackIsThatOfTheDeepestForm) {
  std::string text = kTable;
  text.insert(
      text.rfind('}'),
      R"(, "bss_bytes": 3, "stack_always_bytes": 500, "stack_bytes": {"A.form0": 900, "B.form0": 400})");
  const CodeSizes sizes = read_code_sizes(text, "t.json");
  const auto bytes = [&](std::vector<std::string> forms) { return stack_bytes(sizes, forms); };
  EXPECT_EQ(bytes({}), 500u);
  EXPECT_EQ(bytes({"B.form0"}), 500u);
  EXPECT_EQ(bytes({"A.form0", "B.form0"}), 900u);
  EXPECT_EQ(bytes({"A.form0", "B.form1"}), std::nullopt) << "a form that the table lacks";
  EXPECT_EQ(sizes.bss_bytes, 3u);
  EXPECT_EQ(stack_bytes(read_code_sizes(kTable, "t.json"), {}), std::nullopt) << "an older table";
}

TEST(CodeSizes, WhatIsNoTableIsRefused) {
  for (const char* text : {"", "[]", "{}", R"({"toolchain": "t", "always_bytes": "x"})"}) {
    try {
      read_code_sizes(text, "t.json");
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("t.json")) << text;
    }
  }
  EXPECT_EQ(find_code_sizes("no-such-toolchain"), std::nullopt);
  EXPECT_EQ(find_code_sizes(""), std::nullopt);
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
