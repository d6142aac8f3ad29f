// Runs every one of ONNX's own cases whose model uses only supported operators.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "planner/import/conform.h"
#include "tests/planner/conform/interpret_runner.h"

namespace arenite::planner {
namespace {

struct Suite {
  const char* folder;
  int passes;  // of libonnx-testdata 1.12, at least
  int wrong = 0;
};

class OnnxCases : public ::testing::TestWithParam<Suite> {};

TEST_P(OnnxCases, PassUnlessUnsupported) {
  const std::filesystem::path root =
      std::filesystem::path(ARENITE_ONNX_CASES_DIR) / GetParam().folder;
  if (!std::filesystem::is_directory(root)) GTEST_SKIP() << "no cases in " << root;
  for (const bool optimized : {false, true}) {
    std::array<int, 4> counts{};
    for (const auto& entry : std::filesystem::directory_iterator(root)) {
      const ConformOutcome outcome = run_conform_case(
          entry.path(), [&](const ConformCase& test, const std::vector<NamedTensor>& inputs) {
            return run_interpreted(test, inputs, optimized);
          });
      ++counts[static_cast<size_t>(outcome.result)];
      EXPECT_NE(outcome.result, ConformResult::kFailed) << outcome.name << ": " << outcome.why;
    }
    EXPECT_GE(counts[0], GetParam().passes) << (optimized ? "optimized" : "as imported");
    EXPECT_EQ(counts[3], GetParam().wrong);
    RecordProperty("passed", counts[0]);
    RecordProperty("skipped", counts[2]);
  }
}

INSTANTIATE_TEST_SUITE_P(All, OnnxCases,
                         ::testing::Values(Suite{"node", 658, 5}, Suite{"pytorch-converted", 71},
                                           Suite{"pytorch-operator", 33}, Suite{"simple", 7}),
                         [](const auto& tested) {
                           std::string name = tested.param.folder;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
