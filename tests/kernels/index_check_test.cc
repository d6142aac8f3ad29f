// Shaders report indices in the data that lie outside, as the CPU's forms do, and no others.
#include <gtest/gtest.h>

#include "kernels/dispatch/rules.h"
#include "tests/kernels/on_vulkan.h"
#include "tests/ops/cases.h"

namespace arenite::test {
namespace {

using ops_test::Number;
using ops_test::op_name;
using ops_test::OpCase;

struct Row {
  Op op;
  const char* base;
  uint32_t input;
  // The operand's elements, from the first on again where there are more.
  std::vector<std::vector<Number>> outside, inside;
};

const Row kRows[] = {
    {Op::kGather,
     "rows",
     1,
     {{0, 7}, {-8}, {0, 4294967296.0L}, {-9223372036854775808.0L}},
     {{6, -7}}},
    {Op::kGatherND,
     "elements",
     1,
     {{5, 0}, {-6, 0}, {0, 7}, {0, -8}, {4, 6, 2147483648.0L, 0}, {0, 9223372036854775807.0L}},
     {{4, 6}, {-5, -7}}},
    {Op::kGatherElements, "rows", 1, {{0, 4}, {-5}}, {{3, -4}}},
    {Op::kGatherElements, "columns", 1, {{0, 5}, {-6}}, {{4, -5}}},
    {Op::kScatterND, "elements", 1, {{0, 0, 5, 0}, {-6, 0}, {0, 7}}, {{4, 6, -5, -7}}},
    {Op::kScatterElements, "rows", 1, {{0, 1, -5}, {4}}, {{3}, {-4}}},
    {Op::kScatterElements, "add", 1, {{0, 9223372036854775807.0L}}, {{3, -4}}},
    {Op::kMaxUnpool, "image", 1, {{0, -1}, {240}, {4294967296.0L}}, {}},
    {Op::kRoiAlign, "average", 2, {{0, -1}, {2}, {4294967296.0L}}, {{0, 1}}},
    {Op::kReverseSequence, "time_first", 1, {{0, 8}, {-1}}, {{0, 7}}},
    {Op::kLSTM, "lengths", 4, {{0, 7}, {-1}, {2147483647.0L}}, {{0, 6}}},
    {Op::kGRU, "lengths", 4, {{-1}, {0, 7}}, {{6}}},
};

OpCase case_of(const Row& row, const std::vector<Number>& indices) {
  OpCase c = ops_test::case_named(row.op, row.base);
  c.inputs[row.input].values = indices;
  return c;
}

class IndexCheck : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    device = open_test_device(why);
    if (device == nullptr) GTEST_SKIP() << why;
  }
  std::unique_ptr<VulkanRunner> device;
};

TEST_F(IndexCheck, ReportsWhatTheCpuReports) {
  const ops_test::Runner runner = on_device(*device, 0);
  for (const Row& row : kRows) {
    for (const bool outside : {true, false}) {
      const Code expected = outside ? Code::kIndexOutOfRange : Code::kOk;
      for (const std::vector<Number>& indices : outside ? row.outside : row.inside) {
        const OpCase c = case_of(row, indices);
        EXPECT_EQ(run_case(c, ops_test::on_references()).status.code, expected)
            << op_name(row.op) << ' ' << indices[0];
        EXPECT_EQ(run_case(c, runner).status.code, expected)
            << op_name(row.op) << ' ' << indices[0];
      }
    }
  }
  EXPECT_TRUE(device->messages().empty());
}

// Every row whose operator has run-time indices has a form with a check, and one without: that of
// programs made before there was a check.
TEST(IndexCheckRows, OldFormsStay) {
  for (const Row& row : kRows) {
    bool checked = false, plain = false;
    for (const DispatchRow& form : rows_of(row.op)) {
      checked = checked || form.check != nullptr;
      plain = plain || (form.check == nullptr && form.form == 0);
    }
    EXPECT_TRUE(checked && plain) << op_name(row.op);
  }
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
