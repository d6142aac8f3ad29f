// Tests the rule that compares tensors, and the reading of case folders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "planner/import/conform.h"
#include "tests/planner/conform/interpret_runner.h"
#include "tests/planner/model/model_builder.h"

namespace arenite::planner {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(CompareTensors, ToleranceIsRelativeToTheExpectedElement) {
  const TensorData expected = float_tensor({2}, {1000, 0});
  EXPECT_EQ(compare_tensors(expected, float_tensor({2}, {1000.9f, 0})), "");
  EXPECT_THAT(compare_tensors(expected, float_tensor({2}, {1001.1f, 0})),
              AllOf(HasSubstr("1 of 2 elements"), HasSubstr("element 0")));
  EXPECT_EQ(compare_tensors(expected, float_tensor({2}, {1000, 1e-8f})), "");
  EXPECT_NE(compare_tensors(expected, float_tensor({2}, {1000, 1e-6f})), "");
}

TEST(CompareTensors, NanInfinityAndIntegers) {
  const float inf = INFINITY;
  EXPECT_EQ(compare_tensors(float_tensor({2}, {NAN, inf}), float_tensor({2}, {NAN, inf})), "");
  EXPECT_NE(compare_tensors(float_tensor({1}, {NAN}), float_tensor({1}, {0})), "");
  EXPECT_NE(compare_tensors(float_tensor({1}, {0}), float_tensor({1}, {NAN})), "");
  EXPECT_NE(compare_tensors(float_tensor({1}, {inf}), float_tensor({1}, {-inf})), "");
  EXPECT_NE(compare_tensors(int64_tensor({1}, {10000}), int64_tensor({1}, {10001})), "");
}

TEST(CompareTensors, TypesAndDims) {
  EXPECT_THAT(compare_tensors(float_tensor({1}, {0}), int64_tensor({1}, {0})),
              AllOf(HasSubstr("float32"), HasSubstr("int64")));
  EXPECT_THAT(compare_tensors(counting_tensor({2, 3}), counting_tensor({3, 2})),
              AllOf(HasSubstr("[2, 3]"), HasSubstr("[3, 2]")));
}

class CaseFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = std::filesystem::path(::testing::TempDir()) / ("conform_" + name);
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ / "test_data_set_0");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::vector<std::byte>& bytes) {
    std::ofstream file(folder_ / name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  ConformOutcome run() {
    return run_conform_case(folder_,
                            [](const ConformCase& test, const std::vector<NamedTensor>& inputs) {
                              return run_interpreted(test, inputs, true);
                            });
  }

  std::filesystem::path folder_;
};

TEST_F(CaseFolder, ShapesAreBound) {
  ModelBuilder model(13);
  model.input("x", {"N", "M"}).input("s", {"1"}, DType::kInt64);
  model.node("Reshape", {"x", "s"}, {"y"}).output("y");
  write("model.onnx", model.bytes());
  write("test_data_set_0/input_0.pb", serialize_tensor("", counting_tensor({2, 3})));
  write("test_data_set_0/input_1.pb", serialize_tensor("", int64_tensor({1}, {-1})));
  write("test_data_set_0/output_0.pb", serialize_tensor("", counting_tensor({6})));
  const ConformOutcome outcome = run();
  EXPECT_EQ(outcome.result, ConformResult::kPassed) << outcome.why;
  EXPECT_TRUE(outcome.bound);
  write("test_data_set_0/output_0.pb", serialize_tensor("", counting_tensor({3, 2})));
  EXPECT_EQ(run().result, ConformResult::kFailed);
  EXPECT_THAT(run().why, HasSubstr("output 'y'"));
}

TEST_F(CaseFolder, WhatIsNotSupportedIsSkippedAndWhatIsBrokenFails) {
  ModelBuilder model(13);
  model.input("x", {"1"}).node("Foo", {"x"}, {"y"}).output("y");
  EXPECT_EQ(run().result, ConformResult::kFailed);
  EXPECT_THAT(run().why, HasSubstr("model.onnx"));
  write("model.onnx", model.bytes());
  write("test_data_set_0/input_0.pb", serialize_tensor("", counting_tensor({1})));
  EXPECT_EQ(run().result, ConformResult::kSkipped);
  EXPECT_THAT(run().why, HasSubstr("operator is not supported"));
  write("test_data_set_0/input_0.pb", std::vector<std::byte>(9, std::byte{0xff}));
  EXPECT_EQ(run().result, ConformResult::kFailed);
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
