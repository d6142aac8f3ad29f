// Tests TensorFlow Lite's elementwise operators against plain arithmetic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;

const std::vector<float> kNumbers = {-7.5f, -2.5f, -1, -0.25f, 0, 0.5f, 1, 1.5f, 3.75f, 6.5f};

struct UnaryCase {
  const char* name;
  int32_t code;
  double (*expected)(double x);
  tfl::BuiltinOptions type = tfl::BuiltinOptions_NONE;
  TfliteBuilder::Options options = {};
};

double bounded(double x, double low, double high) { return std::min(std::max(x, low), high); }

const std::vector<UnaryCase>& unary_cases() {
  static const std::vector<UnaryCase> kCases = {
      {"Abs", 101, [](double x) { return std::fabs(x); }},
      {"Ceil", 104, [](double x) { return std::ceil(x); }},
      {"Cos", 108, [](double x) { return std::cos(x); }},
      {"Elu", 111, [](double x) { return x < 0 ? std::expm1(x) : x; }},
      {"Exp", 47, [](double x) { return std::exp(x); }},
      {"Floor", 8, [](double x) { return std::floor(x); }},
      {"Gelu", 150, [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }},
      {"GeluByTanh", 150,
       [](double x) {
         return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
       },
       tfl::BuiltinOptions_GeluOptions, made_by<tfl::CreateGeluOptions>(true)},
      {"HardSwish", 117, [](double x) { return x * bounded(x + 3, 0, 6) / 6; }},
      {"LeakyRelu", 98, [](double x) { return x < 0 ? 0.25 * x : x; },
       tfl::BuiltinOptions_LeakyReluOptions, made_by<tfl::CreateLeakyReluOptions>(0.25f)},
      {"Log", 73, [](double x) { return std::log(x); }},
      {"Logistic", 14, [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"Neg", 59, [](double x) { return -x; }},
      {"Relu", 19, [](double x) { return std::max(x, 0.0); }},
      {"Relu0To1", 152, [](double x) { return bounded(x, 0, 1); }},
      {"Relu6", 21, [](double x) { return bounded(x, 0, 6); }},
      {"ReluN1To1", 20, [](double x) { return bounded(x, -1, 1); }},
      {"Round", 116, [](double x) { return std::nearbyint(x); }},
      {"Rsqrt", 76, [](double x) { return 1 / std::sqrt(x); }},
      {"Sign", 158, [](double x) { return double(x > 0) - double(x < 0); }},
      {"Sin", 66, [](double x) { return std::sin(x); }},
      {"Sqrt", 75, [](double x) { return std::sqrt(x); }},
      {"Square", 92, [](double x) { return x * x; }},
      {"Tanh", 28, [](double x) { return std::tanh(x); }},
      {"ZerosLike", 93, [](double) { return 0.0; }},
  };
  return kCases;
}

TEST(TfliteElementwise, UnaryOperatorsAreWhatTheirNamesSay) {
  const auto count = static_cast<uint32_t>(kNumbers.size());
  for (const UnaryCase& unary : unary_cases()) {
    const auto y = floats_of(
        run_op({unary.code, unary.type, unary.options}, {given(float_tensor({count}, kNumbers))})[0]
            .bytes);
    for (size_t i = 0; i < count; ++i) {
      const double expected = unary.expected(double{kNumbers[i]});
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(y[i])) << unary.name << " of " << kNumbers[i];
      } else if (std::isinf(expected)) {
        EXPECT_EQ(double{y[i]}, expected) << unary.name << " of " << kNumbers[i];
      } else {
        EXPECT_NEAR(double{y[i]}, expected, 1e-5 * std::max(1.0, std::fabs(expected)))
            << unary.name << " of " << kNumbers[i];
      }
    }
  }
}

struct BinaryCase {
  const char* name;
  int32_t code;
  double (*expected)(double a, double b);
};

TEST(TfliteElementwise, BinaryOperatorsBroadcast) {
  const BinaryCase cases[] = {
      {"Add", 0, [](double a, double b) { return a + b; }},
      {"Sub", 41, [](double a, double b) { return a - b; }},
      {"Mul", 18, [](double a, double b) { return a * b; }},
      {"Div", 42, [](double a, double b) { return a / b; }},
      {"Maximum", 55, [](double a, double b) { return std::max(a, b); }},
      {"Minimum", 57, [](double a, double b) { return std::min(a, b); }},
      {"FloorDiv", 90, [](double a, double b) { return std::floor(a / b); }},
      {"FloorMod", 95, [](double a, double b) { return a - std::floor(a / b) * b; }},
      {"SquaredDifference", 99, [](double a, double b) { return (a - b) * (a - b); }},
      {"PRelu", 54, [](double a, double b) { return a < 0 ? a * b : a; }},
  };
  const std::vector<float> a = {-7, -2.5f, 0.5f, 4, 7, 9};
  const std::vector<float> b = {2, -3, 0.5f};
  for (const BinaryCase& binary : cases) {
    const auto y = floats_of(
        run_op({binary.code}, {given(float_tensor({2, 3}, a)), given(float_tensor({3}, b))})[0]
            .bytes);
    for (size_t i = 0; i < a.size(); ++i) {
      EXPECT_NEAR(double{y[i]}, binary.expected(double{a[i]}, double{b[i % 3]}), 1e-5)
          << binary.name << " of " << a[i] << " and " << b[i % 3];
    }
  }
  EXPECT_THAT(floats_of(run_op({78}, {given(float_tensor({2}, {2, 9})),
                                      fixed(float_tensor({2}, {3, 0.5f}))})[0]
                            .bytes),
              ElementsAre(8, 3));
}

std::vector<int32_t> int32s_of(const TensorData& data) {
  std::vector<int32_t> result(data.bytes.size() / sizeof(int32_t));
  std::memcpy(result.data(), data.bytes.data(), data.bytes.size());
  return result;
}

TEST(TfliteElementwise, FlooredDivisionOfIntegersRoundsDown) {
  const TensorData a = int32_tensor({6}, {7, -7, 7, -7, 6, -6});
  const TensorData b = int32_tensor({6}, {2, 2, -2, -2, 3, 3});
  const std::vector<tfl::TensorType> ints = {tfl::TensorType_INT32};
  EXPECT_THAT(int32s_of(run_op({.code = 90, .outputs = ints}, {given(a), given(b)})[0]),
              ElementsAre(3, -4, -4, 3, 2, -2));
  EXPECT_THAT(int32s_of(run_op({.code = 95, .outputs = ints}, {given(a), given(b)})[0]),
              ElementsAre(1, 1, -1, -1, 0, 0));
}

TEST(TfliteElementwise, FusedActivationsBendTheResult) {
  const std::vector<float> x = {-3, -0.5f, 0.5f, 9};
  const auto add = [&](tfl::ActivationFunctionType activation) {
    return floats_of(
        run_op({0, tfl::BuiltinOptions_AddOptions, made_by<tfl::CreateAddOptions>(activation)},
               {given(float_tensor({4}, x)), fixed(float_tensor({1}, {0}))})[0]
            .bytes);
  };
  EXPECT_THAT(add(tfl::ActivationFunctionType_NONE), ElementsAre(-3, -0.5f, 0.5f, 9));
  EXPECT_THAT(add(tfl::ActivationFunctionType_RELU), ElementsAre(0, 0, 0.5f, 9));
  EXPECT_THAT(add(tfl::ActivationFunctionType_RELU_N1_TO_1), ElementsAre(-1, -0.5f, 0.5f, 1));
  EXPECT_THAT(add(tfl::ActivationFunctionType_RELU6), ElementsAre(0, 0, 0.5f, 6));
  EXPECT_NEAR(double{add(tfl::ActivationFunctionType_TANH)[0]}, std::tanh(-3.0), 1e-6);
}

TEST(TfliteElementwise, ComparisonsLogicAndChoices) {
  const TensorData a = float_tensor({4}, {1, 2, 3, 4});
  const TensorData b = float_tensor({4}, {1, 3, 2, 4});
  const std::vector<tfl::TensorType> bools = {tfl::TensorType_BOOL};
  const auto holds = [&](int32_t code, const TensorData& x, const TensorData& y) {
    std::vector<int> result;
    const auto outputs = run_op({.code = code, .outputs = bools}, {given(x), given(y)});
    for (const std::byte byte : outputs[0].bytes) result.push_back(static_cast<int>(byte));
    return result;
  };
  EXPECT_THAT(holds(71, a, b), ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(holds(72, a, b), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(holds(58, a, b), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(holds(61, a, b), ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(holds(62, a, b), ElementsAre(1, 0, 1, 1));
  EXPECT_THAT(holds(63, a, b), ElementsAre(1, 1, 0, 1));
  const TensorData p = bool_tensor({4}, {false, false, true, true});
  const TensorData q = bool_tensor({4}, {false, true, false, true});
  EXPECT_THAT(holds(84, p, q), ElementsAre(0, 1, 1, 1));
  EXPECT_THAT(holds(86, p, q), ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(
      floats_of(run_op({123}, {given(q), given(a), fixed(float_tensor({}, {-1}))})[0].bytes),
      ElementsAre(-1, 2, -1, 4));
  // One condition a row.
  const TensorData rows = bool_tensor({2}, {true, false});
  EXPECT_THAT(floats_of(run_op({64}, {given(rows), given(float_tensor({2, 2}, {1, 2, 3, 4})),
                                      given(float_tensor({2, 2}, {5, 6, 7, 8}))})[0]
                            .bytes),
              ElementsAre(1, 2, 7, 8));
  EXPECT_THAT(floats_of(run_op({106}, {given(a), given(a), given(b)})[0].bytes),
              ElementsAre(3, 7, 8, 12));
}

TEST(TfliteElementwise, CastsAndConstantsOfSixteenBits) {
  EXPECT_THAT(int32s_of(run_op({.code = 53, .outputs = {tfl::TensorType_INT32}},
                               {given(float_tensor({3}, {-1.5f, 0.5f, 7}))})[0]),
              ElementsAre(-1, 0, 7));
  // 1, -2 and 0.5 as float16.
  TensorData halves{DType::kFloat16, {3}, std::vector<std::byte>(6)};
  const uint16_t bits[] = {0x3c00, 0xc000, 0x3800};
  std::memcpy(halves.bytes.data(), bits, sizeof bits);
  TfliteBuilder model;
  const int32_t x = model.input("x", {3});
  const int32_t narrow = model.constant(halves);
  const int32_t wide = model.tensor("wide", {3});
  const int32_t y = model.tensor("y", {3});
  model.op(6, {narrow}, {wide});
  model.op(18, {x, wide}, {y});
  model.output(y);
  EXPECT_THAT(run_tflite_floats(model, {float_tensor({3}, {10, 10, 10})}), ElementsAre(10, -20, 5));
}

// Kernels read weights of 16 bits: what the model widens for them stays as it is stored.
TEST(TfliteElementwise, WeightsOfSixteenBitsStayNarrow) {
  TensorData halves{DType::kFloat16, {1, 3}, std::vector<std::byte>(6)};
  const uint16_t bits[] = {0x3c00, 0xc000, 0x3800};
  std::memcpy(halves.bytes.data(), bits, sizeof bits);
  TfliteBuilder model;
  const int32_t x = model.input("x", {1, 3});
  const int32_t narrow = model.constant(halves);
  const int32_t wide = model.tensor("wide", {1, 3});
  const int32_t y = model.tensor("y", {1, 1});
  model.op(6, {narrow}, {wide});
  model.op(9, {x, wide}, {y});
  model.output(y);
  EXPECT_THAT(run_tflite_floats(model, {float_tensor({1, 3}, {1, 2, 4})}), ElementsAre(-1));
  const Graph graph = import_model(model.bytes(), {})[0].graph;
  for (const Node& node : graph.nodes) {
    if (node.op != Op::kMatMul) continue;
    EXPECT_EQ(graph.values[node.inputs[1]].dtype, DType::kFloat16);
  }
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
