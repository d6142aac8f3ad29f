// Tests importing the normalizations against sums in double precision: forms of later opsets than
// ONNX's own cases here, those of com.microsoft, and the outputs that tell how.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <map>

#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;

std::vector<double> doubles(const TensorData& data) {
  const std::vector<float> floats = floats_of(data.bytes);
  return {floats.begin(), floats.end()};
}

// Elements that are normalized together have the same key.
struct Expected {
  std::vector<double> values, mean, inverse;
};
Expected normalized(const std::vector<double>& x, const std::function<size_t(size_t)>& key,
                    double epsilon, bool deviation = true) {
  std::map<size_t, std::vector<size_t>> rows;
  for (size_t i = 0; i < x.size(); ++i) rows[key(i)].push_back(i);
  Expected expected;
  expected.values.resize(x.size());
  for (const auto& [unused, row] : rows) {
    const auto count = static_cast<double>(row.size());
    double mean = 0, square = 0;
    for (const size_t i : row) mean += deviation ? x[i] / count : 0;
    for (const size_t i : row) square += (x[i] - mean) * (x[i] - mean) / count;
    const double inverse = 1 / std::sqrt(square + epsilon);
    for (const size_t i : row) expected.values[i] = (x[i] - mean) * inverse;
    expected.mean.push_back(mean);
    expected.inverse.push_back(inverse);
  }
  return expected;
}

TEST(LayerNormalizationImport, TellsMeanAndInverse) {
  ModelBuilder model(17);
  model.input("x", {"3", "4", "5"}).input("s", {"4", "5"}).input("b", {"5"});
  model.node("LayerNormalization", {"x", "s", "b"}, {"y", "m", "i"}).with("axis", 1);
  model.with("epsilon", 1e-3f).with("stash_type", 1).output("y").output("m").output("i");
  const TensorData x = random_tensor({3, 4, 5}, 1), s = random_tensor({4, 5}, 2);
  const TensorData b = random_tensor({5}, 3);
  const auto outputs = run_model(model, {x, s, b});
  Expected expected = normalized(
      doubles(x), [](size_t i) { return i / 20; }, 1e-3f);
  for (size_t i = 0; i < 60; ++i) {
    expected.values[i] = expected.values[i] * doubles(s)[i % 20] + doubles(b)[i % 5];
  }
  expect_near(floats_of(outputs[0].bytes), expected.values);
  EXPECT_THAT(outputs[1].dims, ElementsAre(3, 1, 1));
  expect_near(floats_of(outputs[1].bytes), expected.mean);
  expect_near(floats_of(outputs[2].bytes), expected.inverse);
}

TEST(RmsNormalizationImport, DividesByTheRootOfTheMeanSquare) {
  for (const char* name : {"RMSNormalization", "SimplifiedLayerNormalization"}) {
    ModelBuilder model(23);
    model.input("x", {"3", "8"}).input("s", {"8"});
    model.node(name, {"x", "s"}, {"y"}).with("axis", -1).with("epsilon", 1e-2f).output("y");
    const TensorData x = random_tensor({3, 8}, 1), s = random_tensor({8}, 2);
    Expected expected = normalized(
        doubles(x), [](size_t i) { return i / 8; }, 1e-2f, false);
    for (size_t i = 0; i < 24; ++i) expected.values[i] *= doubles(s)[i % 8];
    expect_near(run_floats(model, {x, s}), expected.values);
  }
}

TEST(GroupNormalizationImport, ScalesByGroupAndFromOpset21ByChannel) {
  for (const int64_t opset : {18, 21}) {
    ModelBuilder model(opset);
    const uint32_t count = opset == 18 ? 2 : 6;
    model.input("x", {"2", "6", "2", "3"}).input("s", {std::to_string(count)});
    model.input("b", {std::to_string(count)}).node("GroupNormalization", {"x", "s", "b"}, {"y"});
    model.with("num_groups", 2).with("epsilon", 1e-2f).output("y");
    const TensorData x = random_tensor({2, 6, 2, 3}, 1), s = random_tensor({count}, 2);
    const TensorData b = random_tensor({count}, 3);
    Expected expected = normalized(
        doubles(x), [](size_t i) { return i / 18; }, 1e-2f);
    for (size_t i = 0; i < 72; ++i) {
      const size_t channel = i / 6 % 6, at = opset == 18 ? channel / 3 : channel;
      expected.values[i] = expected.values[i] * doubles(s)[at] + doubles(b)[at];
    }
    expect_near(run_floats(model, {x, s, b}), expected.values);
  }
}

TEST(GroupNormImport, ChannelsLieLast) {
  ModelBuilder model(17);
  model.input("x", {"2", "2", "3", "4"}).input("s", {"4"}).input("b", {"4"}).input("k", {"2", "4"});
  model.node("SkipGroupNorm", {"x", "s", "b", "k"}, {"y", "sum"}).domain("com.microsoft");
  model.with("groups", 2).with("activation", 1).with("epsilon", 1e-2f).output("y").output("sum");
  const TensorData x = random_tensor({2, 2, 3, 4}, 1), s = random_tensor({4}, 2);
  const TensorData b = random_tensor({4}, 3), k = random_tensor({2, 4}, 4);
  std::vector<double> sum = doubles(x);
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += doubles(k)[i / 24 * 4 + i % 4];
  Expected expected = normalized(
      sum, [](size_t i) { return i / 24 * 2 + i % 4 / 2; }, 1e-2f);
  for (size_t i = 0; i < sum.size(); ++i) {
    double& v = expected.values[i];
    v = v * doubles(s)[i % 4] + doubles(b)[i % 4];
    v = v / (1 + std::exp(-v));
  }
  const auto outputs = run_model(model, {x, s, b, k});
  expect_near(floats_of(outputs[0].bytes), expected.values);
  expect_near(floats_of(outputs[1].bytes), sum);
}

TEST(SkipLayerNormalizationImport, AddsFirst) {
  ModelBuilder model(17);
  model.input("x", {"2", "3", "4"}).input("k", {"3", "4"}).input("g", {"4"}).input("c", {"4"});
  model.node("SkipLayerNormalization", {"x", "k", "g", "", "c"}, {"y", "", "i", "sum"});
  model.domain("com.microsoft").with("epsilon", 1e-2f).output("y").output("i").output("sum");
  const TensorData x = random_tensor({2, 3, 4}, 1), k = random_tensor({3, 4}, 2);
  const TensorData g = random_tensor({4}, 3), c = random_tensor({4}, 4);
  std::vector<double> sum = doubles(x);
  for (size_t i = 0; i < sum.size(); ++i) {
    sum[i] += doubles(k)[i % 12] + doubles(c)[i % 4];
  }
  Expected expected = normalized(
      sum, [](size_t i) { return i / 4; }, 1e-2f);
  for (size_t i = 0; i < sum.size(); ++i) expected.values[i] *= doubles(g)[i % 4];
  const auto outputs = run_model(model, {x, k, g, c});
  expect_near(floats_of(outputs[0].bytes), expected.values);
  expect_near(floats_of(outputs[1].bytes), expected.inverse);
  expect_near(floats_of(outputs[2].bytes), sum);
}

TEST(SkipLayerNormalizationImport, SimplifiedHasNoMean) {
  ModelBuilder model(17);
  model.input("x", {"2", "4"}).input("k", {"2", "4"}).input("g", {"4"});
  model.node("SkipSimplifiedLayerNormalization", {"x", "k", "g"}, {"y"}).domain("com.microsoft");
  model.output("y");
  const TensorData x = random_tensor({2, 4}, 1), k = random_tensor({2, 4}, 2);
  const TensorData g = random_tensor({4}, 3);
  std::vector<double> sum = doubles(x);
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += doubles(k)[i];
  Expected expected = normalized(
      sum, [](size_t i) { return i / 4; }, 1e-12, false);
  for (size_t i = 0; i < sum.size(); ++i) expected.values[i] *= doubles(g)[i % 4];
  expect_near(run_floats(model, {x, k, g}), expected.values);
}

TEST(EmbedLayerNormalizationImport, LooksUpAndCountsTheMask) {
  ModelBuilder model(17);
  const TensorData words = random_tensor({5, 4}, 1), places = random_tensor({3, 4}, 2);
  model.input("ids", {"1", "2"}, DType::kInt32).input("mask", {"1", "2"}, DType::kInt32);
  model.initializer("w", words)
      .initializer("p", places)
      .initializer("g", float_tensor({4}, {1, 2, 3, 4}));
  model.initializer("b", float_tensor({4}, {0, 0, 0, 1}));
  model.node("EmbedLayerNormalization", {"ids", "", "w", "p", "", "g", "b", "mask"}, {"y", "n"});
  model.domain("com.microsoft").output("y").output("n", DType::kInt32);
  const auto ints = [](int32_t a, int32_t b) {
    TensorData data{DType::kInt32, {1, 2}, std::vector<std::byte>(8)};
    const int32_t both[2] = {a, b};
    std::memcpy(data.bytes.data(), both, 8);
    return data;
  };
  std::vector<double> sum;
  for (size_t i = 0; i < 8; ++i) {
    const size_t row = i < 4 ? 3 : 0;
    sum.push_back(doubles(words)[row * 4 + i % 4] + doubles(places)[i]);
  }
  Expected expected = normalized(
      sum, [](size_t i) { return i / 4; }, 1e-12);
  for (size_t i = 0; i < 8; ++i) {
    expected.values[i] = expected.values[i] * static_cast<double>(i % 4 + 1) + (i % 4 == 3 ? 1 : 0);
  }
  const auto outputs = run_model(model, {ints(3, 0), ints(1, 0)});
  expect_near(floats_of(outputs[0].bytes), expected.values);
  EXPECT_EQ(outputs[1].bytes, std::vector<std::byte>({std::byte{1}, {}, {}, {}}));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
