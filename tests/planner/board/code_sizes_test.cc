// Tables of code sizes: what firmware with certain kernels is estimated to take.
#include "planner/board/code_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/graph.h"

namespace arenite::planner {
namespace {

using testing::HasSubstr;

constexpr const char* kTable = R"({
  "toolchain": "t", "always_bytes": 1000, "always": {"runtime": 1000},
  "groups": [{"kernels": ["kA"], "bytes": 100}, {"kernels": ["kB"], "bytes": 10},
             {"kernels": ["kA", "kB"], "bytes": 5}, {"kernels": ["kB", "kC"], "bytes": 1}]})";

TEST(CodeSizes, WhatKernelsShareCountsOnce) {
  const CodeSizes sizes = read_code_sizes(kTable, "t.json");
  const auto bytes = [&](std::vector<std::string> kernels) { return code_bytes(sizes, kernels); };
  EXPECT_EQ(bytes({}), 1000u);
  EXPECT_EQ(bytes({"kA"}), 1000u + 4 + 100 + 5);
  EXPECT_EQ(bytes({"kA", "kB"}), 1000u + 8 + 100 + 10 + 5 + 1);
  EXPECT_EQ(bytes({"kC"}), 1000u + 4 + 1);
  EXPECT_EQ(bytes({"kA", "kD"}), std::nullopt) << "a kernel that the table lacks";
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
