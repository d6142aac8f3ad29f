// Random steps of every operator that shaders do on a Vulkan device, under validation, against the
// CPU kernels.
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/environment_count.h"
#include "tests/kernels/on_vulkan.h"
#include "tests/kernels/random_cases.h"
#include "tests/ops/cases.h"

namespace arenite::test {
namespace {

uint32_t cases_per_op() { return environment_count("ARENITE_TEST_CASES", 40); }

class ChosenSteps : public testing::Test {
 protected:
  static void SetUpTestSuite() { runner_ = open_test_device(why_).release(); }
  static void TearDownTestSuite() {
    delete runner_;
    runner_ = nullptr;
  }
  void SetUp() override {
    if (runner_ == nullptr) GTEST_SKIP() << "no device to test on: " << why_;
  }

  // Plans the dispatches of the case's step on the device.
  static std::optional<DispatchPlan> plan_of(const ops_test::OpCase& c) {
    ops_test::CaseStep step(c);
    const Bindings bindings = step.bindings();
    return plan_dispatches(Step(bindings, step.record(), 0), runner_->capabilities());
  }
  // Expects that the device takes the case, and computes what the CPU computes.
  static void expect_as_cpu(const ops_test::OpCase& c) {
    bool supported = false;
    EXPECT_EQ(compare_with_cpu(c, on_device(*runner_, 0), supported), "") << c.name;
    EXPECT_TRUE(supported) << c.name;
  }

  static VulkanRunner* runner_;
  static std::string why_;
};

VulkanRunner* ChosenSteps::runner_ = nullptr;
std::string ChosenSteps::why_;

class RandomSteps : public ChosenSteps, public testing::WithParamInterface<Op> {};

TEST_P(RandomSteps, MatchTheCpu) {
  constexpr uint32_t kShifts[] = {0, 4, 16, 252};
  uint32_t i = 0;
  for (const ops_test::OpCase& c : random_cases(GetParam(), cases_per_op(), 1)) {
    const uint32_t shift = kShifts[i++ % 4];
    bool supported = false;
    const std::string difference = compare_with_cpu(c, on_device(*runner_, shift), supported);
    EXPECT_TRUE(supported) << c.name;
    EXPECT_EQ(difference, "") << c.name << " shifted by " << shift;
  }
  EXPECT_EQ(runner_->messages(), std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(All, RandomSteps, testing::ValuesIn(ops_with_shaders()),
                         [](const testing::TestParamInfo<Op>& op) {
                           return std::string(ops_test::op_name(op.param));
                         });

// A convolution by windows of 3 x 3 that keeps the picture's size; weights lie in panels.
ops_test::OpCase conv3x3(std::string name, const std::vector<uint32_t>& x, uint32_t outputs,
                         Activation activation) {
  using namespace ops_test;
  ConvAttributes attributes = {};
  attributes.groups = 1;
  attributes.activation = activation;
  for (uint32_t axis = 0; axis < 2; ++axis) {
    attributes.stride[axis] = attributes.dilation[axis] = attributes.pad_begin[axis] = 1;
  }
  OpCase c;
  c.name = std::move(name);
  c.op = Op::kConv;
  c.attributes = words(attributes);
  Operand weights = tensor({outputs, x[1], 3, 3});
  weights.layout = Layout::kPanel16;
  c.inputs = {channels_last(tensor(x)), weights, tensor({outputs})};
  c.outputs = {channels_last(tensor({x[0], outputs, x[2], x[3]}))};
  return c;
}

// Large enough for eight output channels an invocation; 20 of them leave half a tile over.
TEST_F(ChosenSteps, ConvOfManyTiles) {
  expect_as_cpu(conv3x3("many_tiles", {1, 3, 330, 330}, 20, {}));
}

// Many pixels of many channels: tiles in shared memory, of which some reach beyond the last pixel,
// channel and product.
TEST_F(ChosenSteps, ConvOfManyPixels) {
  constexpr Activation kClip = {ActivationKind::kClip, -3, 3};
  for (const uint32_t channels : {16u, 15u}) {
    ops_test::OpCase c =
        conv3x3("many_pixels_of_" + std::to_string(channels), {13, channels, 9, 9}, 390, kClip);
    c.tolerance = 1e-4;
    const auto plan = plan_of(c);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->form, 4u);
    EXPECT_EQ(plan->choice, 1u);
    expect_as_cpu(c);
  }
}

// Few tiles of many products each: groups take parts of them, of which some are shorter, and a
// second pass adds these and the residual.
TEST_F(ChosenSteps, ConvOfManyProducts) {
  constexpr Activation kClip = {ActivationKind::kClip, -3, 3};
  for (const uint32_t outputs : {48u, 50u}) {  // the latter are no vectors
    for (const bool has_residual : {true, false}) {
      ops_test::OpCase c =
          conv3x3("many_products_of_" + std::to_string(outputs), {14, 516, 2, 1}, outputs, kClip);
      if (has_residual) c.inputs.push_back(c.outputs[0]);
      c.tolerance = 1e-4;
      const auto plan = plan_of(c);
      ASSERT_TRUE(plan.has_value());
      EXPECT_EQ(plan->form, 4u);
      EXPECT_EQ(plan->choice, 11u);  // four rows an invocation, 32 parts
      EXPECT_NE(plan->scratch_bytes, 0u);
      expect_as_cpu(c);
    }
  }
}

// Few results of many products each: invocations share tiles of them.
TEST_F(ChosenSteps, MatMulOfFewResults) {
  using namespace ops_test;
  for (const bool panels : {false, true}) {
    OpCase c;
    c.name = panels ? "few_results_of_panels" : "few_results";
    c.op = Op::kMatMul;
    c.attributes = words(MatMulAttributes{1.5f, 2.0f, {ActivationKind::kClip, -3, 3}});
    Operand b = panels ? tensor({1, 1, 1, 1000, 90}) : tensor({2, 3, 2, 1000, 90});
    if (panels) {
      b.layout = Layout::kPanel16;
    } else {
      b.repeated = 1u << 1;
    }
    Operand bias = tensor({2, 3, 2, 3, 90});
    bias.repeated = 0xf;
    c.inputs = {tensor({2, 3, 2, 3, 1000}), b, bias};
    c.outputs = {tensor({2, 3, 2, 3, 90})};
    c.tolerance = 1e-4;
    const auto plan = plan_of(c);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->form, 0u);
    // 32 share a tile of two rows, or of four where one matrix is multiplied with all.
    EXPECT_EQ(plan->choice, panels ? 17u : 16u);
    expect_as_cpu(c);
  }
}

// Of many rows: tiles in shared memory, of which some reach beyond the last row, column and
// product.
TEST_F(ChosenSteps, MatMulOfManyRows) {
  using namespace ops_test;
  struct Sizes {
    const char* name;
    uint32_t batch, rows, depth, columns;
    bool panels;
    uint32_t choice;
  };
  constexpr Sizes kSizes[] = {{"batch", 33, 70, 68, 68, false, 1},
                              {"one_matrix", 1, 16321, 68, 20, false, 0},
                              {"panels", 1, 16321, 68, 20, true, 0},
                              {"parts", 1, 7169, 772, 20, false, 4}};
  for (const Sizes& sizes : kSizes) {
    OpCase c;
    c.name = sizes.name;
    c.op = Op::kMatMul;
    c.attributes = words(MatMulAttributes{1.5f, 2.0f, {ActivationKind::kClip, -30, 30}});
    Operand b = tensor({sizes.batch, sizes.depth, sizes.columns});
    if (sizes.panels) b.layout = Layout::kPanel16;
    const Operand y = tensor({sizes.batch, sizes.rows, sizes.columns});
    c.inputs = {tensor({sizes.batch, sizes.rows, sizes.depth}), b, repeated(y, 0b011)};
    c.outputs = {y};
    c.tolerance = 1e-4;
    const auto plan = plan_of(c);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->form, 2u);
    EXPECT_EQ(plan->choice, sizes.choice);
    expect_as_cpu(c);
  }
}

// Of many queries: tiles in shared memory, of which some reach beyond the last query, key and
// column. Scores that are infinite or no numbers fill whole turns of keys for some queries.
TEST_F(ChosenSteps, AttentionOfManyQueries) {
  using namespace ops_test;
  constexpr Number kInfinity = std::numeric_limits<Number>::infinity();
  for (const bool infinite : {false, true}) {
    OpCase c;
    c.name = infinite ? "infinite_scores" : "many_queries";
    c.op = Op::kAttention;
    c.attributes = words(AttentionAttributes{2.5f, 0, 0});
    const uint32_t depth = infinite ? 4 : 20;
    c.inputs = {tensor({48, 33, depth}), tensor({48, 150, depth}), tensor({48, 150, 44})};
    if (infinite) c.inputs[1].specials = {-kInfinity, 1, 0, 2, -1};
    c.outputs = {tensor({48, 33, 44})};
    c.tolerance = 1e-4;
    const auto plan = plan_of(c);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->form, 1u);
    expect_as_cpu(c);
  }
}

TEST_F(ChosenSteps, ValidationLayerWasThere) {
  EXPECT_TRUE(runner_->validates()) << "VK_LAYER_KHRONOS_validation is not installed";
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
