// Tests importing Resize by every rule against ONNX's definition, computed here in double by the
// neighbors of each output; resize.cases has the other forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using Dims = std::vector<int64_t>;

struct Rule {
  std::string mode = "nearest";
  std::string coordinates = "half_pixel";
  std::string nearest = "round_prefer_floor";
  double a = -0.75;
  bool antialias = false, exclude = false;
  double begin = 0, end = 1;  // of roi
};

double place_of(const Rule& rule, double o, double input, double scale, double output) {
  const double length = scale * input;
  if (rule.coordinates == "align_corners") return length == 1 ? 0 : o * (input - 1) / (length - 1);
  if (rule.coordinates == "asymmetric") return o / scale;
  if (rule.coordinates == "tf_half_pixel_for_nn") return (o + 0.5) / scale;
  if (rule.coordinates == "pytorch_half_pixel" && output == 1) return 0;
  if (rule.coordinates == "tf_crop_and_resize") {
    if (output == 1) return (rule.begin + rule.end) * (input - 1) / 2;
    return rule.begin * (input - 1) + o * (rule.end - rule.begin) * (input - 1) / (output - 1);
  }
  const double offset =
      rule.coordinates == "half_pixel_symmetric" ? input / 2 * (1 - output / length) : 0;
  return offset + (o + 0.5) / scale - 0.5;
}

double kernel(const Rule& rule, double x) {
  x = std::abs(x);
  if (rule.mode == "linear") return x < 1 ? 1 - x : 0;
  if (x <= 1) return (rule.a + 2) * x * x * x - (rule.a + 3) * x * x + 1;
  if (x < 2) return rule.a * x * x * x - 5 * rule.a * x * x + 8 * rule.a * x - 4 * rule.a;
  return 0;
}

double nearest_of(const Rule& rule, double at) {
  const double down = std::floor(at);
  if (rule.nearest == "floor") return down;
  if (rule.nearest == "ceil") return std::ceil(at);
  if (at - down == 0.5) return rule.nearest == "round_prefer_ceil" ? down + 1 : down;
  return at - down < 0.5 ? down : down + 1;
}

// One output of one axis; extrapolated as -7.
double sample(const Rule& rule, const std::vector<double>& x, double o, double scale,
              double output) {
  const auto input = static_cast<double>(x.size());
  const double at = place_of(rule, o, input, scale, output);
  if (rule.coordinates == "tf_crop_and_resize" && (at < 0 || at > input - 1)) return -7;
  const auto value = [&](double i) {
    return x[static_cast<size_t>(std::min(std::max(i, 0.0), input - 1))];
  };
  if (rule.mode == "nearest") return value(nearest_of(rule, at));
  const double shrink = rule.antialias ? std::min(scale, 1.0) : 1;
  double sum = 0;
  double all = 0;
  for (double i = std::floor(at) - 60; i < at + 60; ++i) {
    if (rule.exclude && (i < 0 || i >= input)) continue;
    const double weight = kernel(rule, (i - at) * shrink);
    sum += weight * value(i);
    all += weight;
  }
  return sum / all;
}

// Both axes of [2, H, W] resized by sizes or scales, H first.
std::vector<double> resized(const Rule& rule, const TensorData& x, const Dims& to,
                            const std::vector<double>& scales) {
  const auto rows = static_cast<size_t>(x.dims[1]);
  const auto columns = static_cast<size_t>(x.dims[2]);
  std::vector<float> from(x.bytes.size() / 4);
  std::memcpy(from.data(), x.bytes.data(), x.bytes.size());
  std::vector<double> result;
  for (size_t n = 0; n < 2; ++n) {
    for (int64_t r = 0; r < to[0]; ++r) {
      std::vector<double> row;
      for (size_t c = 0; c < columns; ++c) {
        std::vector<double> column;
        for (size_t i = 0; i < rows; ++i)
          column.push_back(double{from[(n * rows + i) * columns + c]});
        row.push_back(
            sample(rule, column, static_cast<double>(r), scales[0], static_cast<double>(to[0])));
      }
      const bool outside = std::all_of(row.begin(), row.end(), [](double v) { return v == -7; });
      for (int64_t c = 0; c < to[1]; ++c) {
        result.push_back(outside ? -7
                                 : sample(rule, row, static_cast<double>(c), scales[1],
                                          static_cast<double>(to[1])));
      }
    }
  }
  return result;
}

ModelBuilder& with_rule(ModelBuilder& model, const Rule& rule, int64_t opset) {
  model.with("mode", rule.mode.c_str());
  model.with("coordinate_transformation_mode", rule.coordinates.c_str());
  model.with("nearest_mode", rule.nearest.c_str())
      .with("cubic_coeff_a", static_cast<float>(rule.a));
  model.with("exclude_outside", rule.exclude ? 1 : 0);
  if (opset >= 18) model.with("antialias", rule.antialias ? 1 : 0);
  if (rule.coordinates == "tf_crop_and_resize") model.with("extrapolation_value", -7.0f);
  return model;
}

void expect_near(const std::vector<float>& found, const std::vector<double>& expected,
                 const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(double{found[i]}, expected[i], 2e-5) << what << ", element " << i;
  }
}

std::vector<Rule> rules() {
  std::vector<Rule> all;
  for (const char* coordinates :
       {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
        "tf_half_pixel_for_nn", "tf_crop_and_resize"}) {
    Rule rule;
    rule.coordinates = coordinates;
    if (rule.coordinates == "tf_crop_and_resize") {
      rule.begin = -0.25;
      rule.end = 0.875;
    }
    for (const char* nearest : {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}) {
      rule.nearest = nearest;
      all.push_back(rule);
    }
    rule.mode = "linear";
    all.push_back(rule);
    rule.mode = "cubic";
    all.push_back(rule);
    rule.a = -0.5;
    rule.exclude = true;
    all.push_back(rule);
    rule.antialias = true;
    all.push_back(rule);
    rule.exclude = false;
    all.push_back(rule);
    rule.mode = "linear";
    all.push_back(rule);
  }
  return all;
}

TEST(ResizeImport, EveryRuleIsOnnxs) {
  const TensorData x = random_tensor({2, 6, 5}, 3);
  for (const Rule& rule : rules()) {
    for (const Dims& to : {Dims{12, 7}, Dims{3, 1}, Dims{4, 15}}) {
      ModelBuilder model(19);
      model.input("x", {"2", "6", "5"});
      const auto begin = static_cast<float>(rule.begin);
      const auto end = static_cast<float>(rule.end);
      model.initializer("roi", float_tensor({4}, {begin, begin, end, end}));
      model.initializer("sizes", int64_tensor({2}, to));
      model.node("Resize", {"x", "roi", "", "sizes"}, {"y"}).output("y");
      with_rule(model, rule, 19).with_ints("axes", {1, -1});
      const std::vector<double> scales = {static_cast<double>(to[0]) / 6,
                                          static_cast<double>(to[1]) / 5};
      expect_near(run_floats(model, {x}), resized(rule, x, to, scales),
                  rule.mode + " " + rule.coordinates + " " + rule.nearest + " to " +
                      std::to_string(to[0]) + "x" + std::to_string(to[1]));
    }
  }
}

TEST(ResizeImport, ScalesRoundTheSizeDownAndKeepTheirOwnCoordinates) {
  const TensorData x = random_tensor({2, 6, 5}, 4);
  for (const char* coordinates : {"half_pixel", "half_pixel_symmetric", "align_corners"}) {
    Rule rule;
    rule.mode = "linear";
    rule.coordinates = coordinates;
    ModelBuilder model(19);
    model.input("x", {"2", "6", "5"}).initializer("scales", float_tensor({3}, {1, 1.625f, 0.75f}));
    model.node("Resize", {"x", "", "scales"}, {"y"}).output("y");
    with_rule(model, rule, 19);
    expect_near(run_floats(model, {x}), resized(rule, x, {9, 3}, {1.625, 0.75}), coordinates);
  }
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
