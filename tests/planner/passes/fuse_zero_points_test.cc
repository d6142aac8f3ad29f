// Tests that constant zero points become attributes of integer products, with the same sums.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/attributes.h"
#include "ops/quantized.h"
#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

std::vector<int> spread(size_t count, DType type) {
  std::vector<int> elements;
  for (size_t i = 0; i < count; ++i) {
    elements.push_back(static_cast<int>(i * 37 % 255) - (type == DType::kInt8 ? 127 : 0));
  }
  return elements;
}

const Node& product_of(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    if (node.op == Op::kQuantizedMatMul || node.op == Op::kQuantizedConv) return node;
  }
  throw std::logic_error("no product");
}

// The sums of [5, 24] numbers of a run and 10 columns.
void add_sums(ModelBuilder& model, DType type, const std::vector<int>& zero_points) {
  model.input("x", {"5", "24"});
  model.initializer("w", integer_tensor(type, {24, 10}, spread(240, type)));
  const auto count = static_cast<uint32_t>(zero_points.size());
  model.initializer("zeros", integer_tensor(type, {count}, zero_points));
  model.node("DynamicQuantizeLinear", {"x"}, {"q", "scale", "zero"});
  model.node("MatMulInteger", {"q", "w", "zero", "zeros"}, {"sums"});
  model.node("Cast", {"sums"}, {"y"}).with("to", 1).output("y");
}

TEST(FuseZeroPoints, OneForAllWeightsIsAnAttribute) {
  for (const DType type : {DType::kInt8, DType::kUint8}) {
    for (const int zero : {0, 113}) {
      ModelBuilder model(13);
      add_sums(model, type, std::vector<int>(zero == 0 ? 1 : 10, zero));
      run_model(model, {random_tensor({5, 24}, 1)});  // compares the sums
      const Graph graph = optimized(model);
      const Node& product = product_of(graph);
      EXPECT_FALSE(product.has_input(kWZeroPointsInput));
      EXPECT_TRUE(product.has_input(kXZeroPointInput));  // the run's
      EXPECT_EQ(graph.values[product.inputs[kWeightsInput]].dtype, DType::kInt8);
      EXPECT_EQ(product.attributes_as<QuantizedMatMulAttributes>().b_zero_point,
                type == DType::kUint8 ? zero - 128 : zero);
    }
  }
}

TEST(FuseZeroPoints, ThoseOfColumnsStay) {
  ModelBuilder model(13);
  add_sums(model, DType::kUint8, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  run_model(model, {random_tensor({5, 24}, 1)});
  const Graph graph = optimized(model);
  EXPECT_TRUE(product_of(graph).has_input(kWZeroPointsInput));
  EXPECT_EQ(graph.values[product_of(graph).inputs[kWeightsInput]].dtype, DType::kUint8);
}

// What lies beside the image is its zero point, so that it adds nothing.
TEST(FuseZeroPoints, BesideAnImageIsItsZeroPoint) {
  ModelBuilder model(13);
  model.input("x", {"1", "3", "6", "6"}, DType::kUint8);
  model.initializer("x_zero", integer_tensor(DType::kUint8, {}, {131}));
  model.initializer("w", integer_tensor(DType::kUint8, {4, 3, 3, 3}, spread(108, DType::kUint8)));
  model.initializer("w_zero", integer_tensor(DType::kUint8, {}, {99}));
  model.node("ConvInteger", {"x", "w", "x_zero", "w_zero"}, {"sums"})
      .with_ints("pads", {1, 1, 1, 1});
  model.node("Cast", {"sums"}, {"y"}).with("to", 1).output("y");
  run_model(model, {integer_tensor(DType::kUint8, {1, 3, 6, 6}, spread(108, DType::kUint8))});
  const Graph graph = optimized(model);
  const Node& product = product_of(graph);
  EXPECT_EQ(product.inputs.size(), 2u);
  const auto attributes = product.attributes_as<QuantizedConvAttributes>();
  EXPECT_EQ(attributes.x_zero_point, 131);
  EXPECT_EQ(attributes.outside, 131);
  EXPECT_EQ(attributes.w_zero_point, 99 - 128);
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
