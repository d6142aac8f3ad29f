// Tests TensorFlow Lite's convolutions and pools against plain loops over channels-last images.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;

struct Axis {
  int in = 0, kernel = 1, stride = 1, dilation = 1;
  bool same = true;

  int reach() const { return (kernel - 1) * dilation + 1; }
  int steps() const { return same ? (in + stride - 1) / stride : (in - reach()) / stride + 1; }
  int before() const { return same ? std::max((steps() - 1) * stride + reach() - in, 0) / 2 : 0; }
};

struct Image {
  uint32_t height, width, channels;
  std::vector<float> elements;
  // 0 outside.
  float at(int y, int x, uint32_t c) const {
    if (y < 0 || x < 0 || y >= static_cast<int>(height) || x >= static_cast<int>(width)) return 0;
    return elements[(static_cast<uint32_t>(y) * width + static_cast<uint32_t>(x)) * channels + c];
  }
};

Image random_image(uint32_t height, uint32_t width, uint32_t channels, uint32_t seed) {
  return {height, width, channels,
          floats_of(random_tensor({1, height, width, channels}, seed).bytes)};
}

TensorData tensor_of(const Image& image) {
  return float_tensor({1, image.height, image.width, image.channels}, image.elements);
}

// Each of `outputs` reads `per_group` channels; weights [outputs, kernel, kernel, per_group].
std::vector<float> convolved(const Image& x, const TensorData& weights, const Axis& rows,
                             const Axis& columns, bool depthwise) {
  const std::vector<float> w = floats_of(weights.bytes);
  const uint32_t outputs = depthwise ? weights.dims[3] : weights.dims[0];
  const uint32_t per_group = depthwise ? 1 : weights.dims[3];
  const uint32_t groups = x.channels / per_group;
  std::vector<float> y;
  for (int i = 0; i < rows.steps(); ++i) {
    for (int j = 0; j < columns.steps(); ++j) {
      for (uint32_t o = 0; o < outputs; ++o) {
        double sum = 0;
        for (int k = 0; k < rows.kernel; ++k) {
          for (int l = 0; l < columns.kernel; ++l) {
            for (uint32_t c = 0; c < per_group; ++c) {
              const auto at = static_cast<uint32_t>(k * columns.kernel + l);
              const uint32_t weight =
                  depthwise
                      ? at * outputs + o
                      : (o * static_cast<uint32_t>(rows.kernel * columns.kernel) + at) * per_group +
                            c;
              sum += double{x.at(i * rows.stride - rows.before() + k * rows.dilation,
                                 j * columns.stride - columns.before() + l * columns.dilation,
                                 o / (outputs / groups) * per_group + c)} *
                     double{w[weight]};
            }
          }
        }
        y.push_back(static_cast<float>(sum));
      }
    }
  }
  return y;
}

void expect_near(const std::vector<float>& found, const std::vector<float>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 2e-5f) << "element " << i;
  }
}

tfl::Padding padding(const Axis& axis) {
  return axis.same ? tfl::Padding_SAME : tfl::Padding_VALID;
}

TEST(TfliteImage, ConvolutionsPadAsTensorFlowDoes) {
  const Image x = random_image(7, 6, 4, 1);
  const TensorData weights = random_tensor({6, 3, 2, 4}, 2);
  const TensorData grouped = random_tensor({6, 3, 2, 2}, 3);
  for (const bool same : {true, false}) {
    for (const int stride : {1, 2, 3}) {
      const Axis rows = {7, 3, stride, 1, same};
      const Axis columns = {6, 2, stride, stride == 1 ? 2 : 1, same};
      const auto options = made_by<tfl::CreateConv2DOptions>(
          padding(rows), columns.stride, rows.stride, tfl::ActivationFunctionType_NONE,
          columns.dilation, rows.dilation);
      for (const TensorData& w : {weights, grouped}) {
        const TensorData y = run_op({3, tfl::BuiltinOptions_Conv2DOptions, options},
                                    {given(tensor_of(x)), fixed(w)})[0];
        EXPECT_THAT(y.dims, ElementsAre(1, rows.steps(), columns.steps(), 6));
        expect_near(floats_of(y.bytes), convolved(x, w, rows, columns, false));
      }
    }
  }
}

// Import makes lines of columns, and columns of their results.
TEST(TfliteImage, ConvolutionsOfAColumnStayOne) {
  const Image x = random_image(11, 1, 4, 6);
  const TensorData weights = random_tensor({6, 3, 1, 4}, 7);
  const TensorData depthwise = random_tensor({1, 3, 1, 4}, 8);
  for (const bool same : {true, false}) {
    for (const int stride : {1, 2}) {
      const Axis rows = {11, 3, stride, stride == 1 ? 2 : 1, same};
      const Axis columns = {1, 1, 2, 1, same};
      const auto options = made_by<tfl::CreateConv2DOptions>(
          padding(rows), columns.stride, rows.stride, tfl::ActivationFunctionType_NONE,
          columns.dilation, rows.dilation);
      const TensorData y = run_op({3, tfl::BuiltinOptions_Conv2DOptions, options},
                                  {given(tensor_of(x)), fixed(weights)})[0];
      EXPECT_THAT(y.dims, ElementsAre(1, rows.steps(), 1, 6));
      expect_near(floats_of(y.bytes), convolved(x, weights, rows, columns, false));
      const auto depthwise_options = made_by<tfl::CreateDepthwiseConv2DOptions>(
          padding(rows), columns.stride, rows.stride, 1, tfl::ActivationFunctionType_NONE,
          columns.dilation, rows.dilation);
      expect_near(
          floats_of(run_op({4, tfl::BuiltinOptions_DepthwiseConv2DOptions, depthwise_options},
                           {given(tensor_of(x)), fixed(depthwise),
                            fixed(float_tensor({4}, {0, 0, 0, 0}))})[0]
                        .bytes),
          convolved(x, depthwise, rows, columns, true));
    }
  }
}

TEST(TfliteImage, DepthwiseConvolutionsHaveAMultiplierAndDilation) {
  const Image x = random_image(6, 5, 3, 4);
  const TensorData weights = random_tensor({1, 3, 3, 6}, 5);
  const Axis rows = {6, 3, 1, 2, true};
  const Axis columns = {5, 3, 1, 1, true};
  const auto options = made_by<tfl::CreateDepthwiseConv2DOptions>(
      tfl::Padding_SAME, 1, 1, 2, tfl::ActivationFunctionType_RELU, 1, 2);
  std::vector<float> expected = convolved(x, weights, rows, columns, true);
  for (float& element : expected) element = std::max(element, 0.0f);
  expect_near(floats_of(run_op({4, tfl::BuiltinOptions_DepthwiseConv2DOptions, options},
                               {given(tensor_of(x)), fixed(weights),
                                fixed(float_tensor({6}, {0, 0, 0, 0, 0, 0}))})[0]
                            .bytes),
              expected);
}

TEST(TfliteImage, PoolsLeavePaddingOut) {
  const Image x = random_image(5, 5, 2, 6);
  const Axis axis = {5, 3, 2, 1, true};
  const auto options = made_by<tfl::CreatePool2DOptions>(tfl::Padding_SAME, 2, 2, 3, 3,
                                                         tfl::ActivationFunctionType_NONE);
  std::vector<float> means, most, roots;
  for (int i = 0; i < axis.steps(); ++i) {
    for (int j = 0; j < axis.steps(); ++j) {
      for (uint32_t c = 0; c < 2; ++c) {
        double sum = 0, squares = 0, count = 0;
        float largest = -std::numeric_limits<float>::infinity();
        for (int k = i * 2 - axis.before(); k < i * 2 - axis.before() + 3; ++k) {
          for (int l = j * 2 - axis.before(); l < j * 2 - axis.before() + 3; ++l) {
            if (k < 0 || l < 0 || k > 4 || l > 4) continue;
            const float element = x.at(k, l, c);
            sum += double{element};
            squares += double{element} * double{element};
            largest = std::max(largest, element);
            count += 1;
          }
        }
        means.push_back(static_cast<float>(sum / count));
        roots.push_back(static_cast<float>(std::sqrt(squares / count)));
        most.push_back(largest);
      }
    }
  }
  const auto pooled = [&](int32_t code) {
    return floats_of(
        run_op({code, tfl::BuiltinOptions_Pool2DOptions, options}, {given(tensor_of(x))})[0].bytes);
  };
  expect_near(pooled(1), means);
  expect_near(pooled(17), most);
  expect_near(pooled(12), roots);
}

// Each element of x adds the weights times itself to what lies around it; [height, width, outputs].
std::vector<float> spread(const Image& x, const TensorData& weights, const Axis& rows,
                          const Axis& columns, int before) {
  const std::vector<float> w = floats_of(weights.bytes);
  const uint32_t outputs = weights.dims[0];
  std::vector<float> y(static_cast<size_t>(rows.in * columns.in) * outputs, 0);
  for (int i = 0; i < static_cast<int>(x.height); ++i) {
    for (int j = 0; j < static_cast<int>(x.width); ++j) {
      for (int k = 0; k < rows.kernel; ++k) {
        for (int l = 0; l < columns.kernel; ++l) {
          const int row = i * rows.stride + k - before;
          const int column = j * columns.stride + l - before;
          if (row < 0 || column < 0 || row >= rows.in || column >= columns.in) continue;
          for (uint32_t o = 0; o < outputs; ++o) {
            for (uint32_t c = 0; c < x.channels; ++c) {
              const auto at = static_cast<uint32_t>(
                                  (static_cast<int>(o) * rows.kernel + k) * columns.kernel + l) *
                                  x.channels +
                              c;
              y[static_cast<size_t>(row * columns.in + column) * outputs + o] +=
                  x.at(i, j, c) * w[at];
            }
          }
        }
      }
    }
  }
  return y;
}

TEST(TfliteImage, TransposedConvolutionsGiveTheShapeThatIsAsked) {
  const Image x = random_image(3, 4, 2, 9);
  const TensorData weights = random_tensor({3, 3, 3, 2}, 10);
  const auto run = [&](tfl::Padding padding, const std::vector<int32_t>& shape) {
    return floats_of(
        run_op({67, tfl::BuiltinOptions_TransposeConvOptions,
                made_by<tfl::CreateTransposeConvOptions>(padding, 2, 2,
                                                         tfl::ActivationFunctionType_NONE)},
               {fixed(int32_tensor({4}, shape)), fixed(weights), given(tensor_of(x))})[0]
            .bytes);
  };
  // SAME: of the 7 x 9 that are reached, those that a convolution would make 3 x 4 of.
  expect_near(run(tfl::Padding_SAME, {1, 6, 8, 3}), spread(x, weights, {6, 3, 2}, {8, 3, 2}, 0));
  expect_near(run(tfl::Padding_SAME, {1, 5, 7, 3}), spread(x, weights, {5, 3, 2}, {7, 3, 2}, 1));
  expect_near(run(tfl::Padding_VALID, {1, 7, 9, 3}), spread(x, weights, {7, 3, 2}, {9, 3, 2}, 0));
  expect_near(run(tfl::Padding_VALID, {1, 8, 10, 3}), spread(x, weights, {8, 3, 2}, {10, 3, 2}, 0));
}

TEST(TfliteImage, MediaPipesTransposedConvolutionAddsABias) {
  const Image x = random_image(2, 3, 2, 11);
  const TensorData weights = random_tensor({1, 2, 2, 2}, 12);
  TfliteBuilder model;
  const int32_t in = model.input("x", {1, 2, 3, 2});
  const int32_t w = model.constant(weights);
  const int32_t bias = model.constant(float_tensor({1}, {0.5f}));
  const int32_t out = model.tensor("y", {1, 4, 6, 1});
  model.custom("Convolution2DTransposeBias", {in, w, bias}, {out},
               {1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0});
  model.output(out);
  std::vector<float> expected = spread(x, weights, {4, 2, 2}, {6, 2, 2}, 0);
  for (float& element : expected) element += 0.5f;
  expect_near(run_tflite_floats(model, {tensor_of(x)}), expected);
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
