// Tests importing what ONNX Runtime joins into operators of its own domain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

double by_erf(double x) { return x / 2 * (1 + std::erf(x * std::sqrt(0.5))); }
double by_tanh(double x) {
  return x / 2 * (1 + std::tanh(std::sqrt(2 / 3.14159265358979) * (x + 0.044715 * x * x * x)));
}

// The operator of com.microsoft with these inputs, whose dims are known.
ModelBuilder& microsoft(ModelBuilder& model, const char* op,
                        const std::vector<std::vector<std::string>>& inputs) {
  std::vector<std::string> names;
  for (const std::vector<std::string>& dims : inputs) {
    names.push_back("i" + std::to_string(names.size()));
    model.input(names.back(), dims);
  }
  return model.node(op, names, {"y"}).domain("com.microsoft").output("y");
}

TEST(MicrosoftImport, GeluAndItsKin) {
  const TensorData x = float_tensor({1, 3}, {-1, 0.5f, 2}), bias = float_tensor({3}, {1, 0, -1});
  ModelBuilder plain(17), biased(17), fast(17), fast_biased(17), quick(17);
  const auto f = [](const auto& gelu, double a, double b, double c) {
    return Pointwise(FloatNear(1e-6f), {static_cast<float>(gelu(a)), static_cast<float>(gelu(b)),
                                        static_cast<float>(gelu(c))});
  };
  EXPECT_THAT(run_floats(microsoft(plain, "Gelu", {{"1", "3"}}), {x}), f(by_erf, -1, 0.5, 2));
  EXPECT_THAT(run_floats(microsoft(biased, "BiasGelu", {{"1", "3"}, {"3"}}), {x, bias}),
              f(by_erf, 0, 0.5, 1));
  EXPECT_THAT(run_floats(microsoft(fast, "FastGelu", {{"1", "3"}}), {x}), f(by_tanh, -1, 0.5, 2));
  EXPECT_THAT(run_floats(microsoft(fast_biased, "FastGelu", {{"1", "3"}, {"3"}}), {x, bias}),
              f(by_tanh, 0, 0.5, 1));
  const auto swish = [](double v) { return v / (1 + std::exp(-2 * v)); };
  microsoft(quick, "QuickGelu", {{"1", "3"}}).with("alpha", 2.0f);
  EXPECT_THAT(run_floats(quick, {x}), f(swish, -1, 0.5, 2));
}

TEST(MicrosoftImport, BiasSplitGeluTakesHalves) {
  ModelBuilder model(17), odd(17);
  microsoft(model, "BiasSplitGelu", {{"1", "4"}, {"4"}});
  const auto y = run_floats(model, {counting_tensor({1, 4}), float_tensor({4}, {0, 0, -4, 1})});
  EXPECT_THAT(y, ElementsAre(FloatNear(static_cast<float>(by_erf(-1)), 1e-6f),
                             FloatNear(static_cast<float>(2 * by_erf(5)), 1e-5f)));
  microsoft(odd, "BiasSplitGelu", {{"1", "3"}, {"3"}});
  EXPECT_THAT(import_error(odd), HasSubstr("expected an even last dimension"));
}

TEST(MicrosoftImport, BiasAddAddsThree) {
  ModelBuilder model(17);
  microsoft(model, "BiasAdd", {{"1", "2", "2"}, {"2"}, {"1", "2", "2"}});
  const TensorData x = counting_tensor({1, 2, 2});
  EXPECT_THAT(run_floats(model, {x, float_tensor({2}, {10, 20}), x}), ElementsAre(12, 24, 16, 28));
}

TEST(MicrosoftImport, FusedConvAddsThenActivates) {
  ModelBuilder model(17), unknown(17);
  microsoft(model, "FusedConv",
            {{"1", "1", "1", "3"}, {"1", "1", "1", "2"}, {"1"}, {"1", "1", "1", "2"}});
  model.with("activation", "LeakyRelu").with_floats("activation_params", {0.5f});
  const TensorData w = float_tensor({1, 1, 1, 2}, {1, 1});
  EXPECT_THAT(run_floats(model, {counting_tensor({1, 1, 1, 3}), w, float_tensor({1}, {-4}),
                                 float_tensor({1, 1, 1, 2}, {-3, 1})}),
              ElementsAre(-2, 2));
  microsoft(unknown, "FusedConv", {{"1", "1", "1", "3"}, {"1", "1", "1", "2"}});
  unknown.with("activation", "Sine");
  EXPECT_THAT(import_error(unknown), AllOf(HasSubstr("activation"), HasSubstr("Sine")));
}

TEST(MicrosoftImport, FusedGemmActivates) {
  ModelBuilder model(17);
  microsoft(model, "FusedGemm", {{"1", "2"}, {"2", "2"}, {"2"}});
  model.with("transB", 1).with("activation", "Relu");
  EXPECT_THAT(run_floats(model, {float_tensor({1, 2}, {1, -2}), counting_tensor({2, 2}),
                                 float_tensor({2}, {5, 0})}),
              ElementsAre(2, 0));
}

TEST(MicrosoftImport, FusedMatMulTransposesAndScales) {
  ModelBuilder model(17), batch(17);
  microsoft(model, "FusedMatMul", {{"2", "1"}, {"3", "2"}});
  model.with("transA", 1).with("transB", 1).with("alpha", 0.5f);
  EXPECT_THAT(run_floats(model, {counting_tensor({2, 1}), counting_tensor({3, 2})}),
              ElementsAre(2.5f, 5.5f, 8.5f));
  // a [rows, batch, inner], b [inner, batch, columns].
  microsoft(batch, "FusedMatMul", {{"2", "2", "1"}, {"1", "2", "1"}});
  batch.with("transBatchA", 1).with("transBatchB", 1);
  EXPECT_THAT(run_floats(batch, {counting_tensor({2, 2, 1}), float_tensor({1, 2, 1}, {1, 10})}),
              ElementsAre(1, 3, 20, 40));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
