// Tests TensorFlow Lite's convolutions over volumes, both ways, against plain loops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAreArray;
using ::testing::FloatNear;
using ::testing::Pointwise;

using Triple = std::array<int32_t, 3>;  // depth, height, width

constexpr int32_t kConv3d = 132, kConv3dTranspose = 141;
constexpr tfl::ActivationFunctionType kNone = tfl::ActivationFunctionType_NONE;

TfliteOp op_of(int32_t code, bool same, const Triple& stride, const Triple& dilation = {1, 1, 1},
               tfl::ActivationFunctionType activation = kNone) {
  return {code, tfl::BuiltinOptions_Conv3DOptions,
          made_by<tfl::CreateConv3DOptions>(same ? tfl::Padding_SAME : tfl::Padding_VALID,
                                            stride[0], stride[2], stride[1], activation,
                                            dilation[0], dilation[2], dilation[1])};
}

TensorData tensor5(const Triple& space, uint32_t channels, uint32_t seed) {
  return random_tensor({1, static_cast<uint32_t>(space[0]), static_cast<uint32_t>(space[1]),
                        static_cast<uint32_t>(space[2]), channels},
                       seed);
}

// Calls each(place) for all places below `dims`, the last fastest.
template <typename F>
void for_each(const Triple& dims, F each) {
  for (int32_t d = 0; d < dims[0]; ++d) {
    for (int32_t h = 0; h < dims[1]; ++h) {
      for (int32_t w = 0; w < dims[2]; ++w) each(Triple{d, h, w});
    }
  }
}

// The place of a row of channels; -1 outside.
int64_t row(const Triple& at, const Triple& dims) {
  for (size_t i = 0; i < 3; ++i) {
    if (at[i] < 0 || at[i] >= dims[i]) return -1;
  }
  return (int64_t{at[0]} * dims[1] + at[1]) * dims[2] + at[2];
}

struct Layer {
  Triple in, kernel, stride = {1, 1, 1}, dilation = {1, 1, 1};
  uint32_t channels = 2, outputs = 3;
  bool same = true;

  // The number of windows of a convolution along one axis.
  int32_t steps(size_t i) const {
    const int32_t reach = (kernel[i] - 1) * dilation[i] + 1;
    return same ? (in[i] + stride[i] - 1) / stride[i] : (in[i] - reach) / stride[i] + 1;
  }
  int32_t before(size_t i) const {
    const int32_t reach = (kernel[i] - 1) * dilation[i] + 1;
    return same ? std::max((steps(i) - 1) * stride[i] + reach - in[i], 0) / 2 : 0;
  }
};

float& element(std::vector<float>& list, int64_t row, uint32_t columns, uint32_t column) {
  return list[static_cast<size_t>(row) * columns + column];
}

// Weights [D, H, W, in, out].
std::vector<float> convolved(const Layer& l, std::vector<float> x, std::vector<float> w,
                             std::vector<float> bias) {
  const Triple steps = {l.steps(0), l.steps(1), l.steps(2)};
  std::vector<float> y;
  for_each(steps, [&](const Triple& to) {
    for (uint32_t o = 0; o < l.outputs; ++o) {
      double sum = double{bias[o]};
      for_each(l.kernel, [&](const Triple& tap) {
        Triple from = {};
        for (size_t i = 0; i < 3; ++i) {
          from[i] = to[i] * l.stride[i] + tap[i] * l.dilation[i] - l.before(i);
        }
        const int64_t at = row(from, l.in);
        if (at < 0) return;
        for (uint32_t c = 0; c < l.channels; ++c) {
          const int64_t weight = row(tap, l.kernel) * l.channels + c;
          sum += double{element(x, at, l.channels, c)} * double{element(w, weight, l.outputs, o)};
        }
      });
      y.push_back(static_cast<float>(sum));
    }
  });
  return y;
}

TEST(TfliteVolume, Convolutions) {
  for (const Layer& l : {Layer{{3, 4, 5}, {2, 3, 3}}, Layer{{3, 4, 5}, {2, 3, 2}, {2, 1, 3}},
                         Layer{{5, 4, 6}, {2, 2, 3}, {1, 2, 1}, {2, 1, 2}, 3, 2, false}}) {
    const TensorData x = tensor5(l.in, l.channels, 1);
    TensorData w = tensor5(l.kernel, l.channels * l.outputs, 2);
    w.dims = {w.dims[1], w.dims[2], w.dims[3], l.channels, l.outputs};
    const TensorData bias = random_tensor({l.outputs}, 3);
    const auto y =
        run_op(op_of(kConv3d, l.same, l.stride, l.dilation), {given(x), fixed(w), fixed(bias)})[0];
    const auto steps = [&](size_t i) { return static_cast<uint32_t>(l.steps(i)); };
    EXPECT_THAT(y.dims, ElementsAreArray({1u, steps(0), steps(1), steps(2), l.outputs}));
    EXPECT_THAT(floats_of(y.bytes),
                Pointwise(FloatNear(1e-5f), convolved(l, floats_of(x.bytes), floats_of(w.bytes),
                                                      floats_of(bias.bytes))));
  }
}

// Each input adds to the outputs under its taps; weights [D, H, W, out, in].
std::vector<float> scattered(const Layer& l, const Triple& shape, std::vector<float> x,
                             std::vector<float> w) {
  std::vector<float> y(static_cast<size_t>(shape[0] * shape[1] * shape[2]) * l.outputs);
  for_each(l.in, [&](const Triple& from) {
    for_each(l.kernel, [&](const Triple& tap) {
      Triple to = {};
      for (size_t i = 0; i < 3; ++i) {
        const int32_t surplus = std::max((l.in[i] - 1) * l.stride[i] + l.kernel[i] - shape[i], 0);
        to[i] = from[i] * l.stride[i] + tap[i] - (l.same ? surplus / 2 : 0);
      }
      const int64_t at = row(to, shape);
      if (at < 0) return;
      for (uint32_t o = 0; o < l.outputs; ++o) {
        for (uint32_t c = 0; c < l.channels; ++c) {
          element(y, at, l.outputs, o) +=
              element(x, row(from, l.in), l.channels, c) *
              element(w, row(tap, l.kernel) * l.outputs + o, l.channels, c);
        }
      }
    });
  });
  return y;
}

std::vector<TfliteOperand> transposed_operands(const Layer& l, const std::vector<int32_t>& shape,
                                               const TensorData& x, const TensorData& w) {
  TensorData weights = w;
  weights.dims = {w.dims[1], w.dims[2], w.dims[3], l.outputs, l.channels};
  return {fixed(int32_tensor({static_cast<uint32_t>(shape.size())}, shape)), fixed(weights),
          given(x)};
}

TEST(TfliteVolume, TransposedConvolutions) {
  struct Case {
    Layer layer;
    Triple shape;
  };
  for (const auto& [l, shape] :
       {Case{{{2, 3, 2}, {3, 2, 3}, {2, 1, 3}}, {4, 3, 5}},
        Case{{{2, 2, 3}, {2, 3, 1}, {2, 2, 2}, {1, 1, 1}, 3, 2, false}, {4, 5, 5}}}) {
    const TensorData x = tensor5(l.in, l.channels, 1);
    const TensorData w = tensor5(l.kernel, l.channels * l.outputs, 2);
    const auto outputs = static_cast<int32_t>(l.outputs);
    const auto y =
        run_op(op_of(kConv3dTranspose, l.same, l.stride),
               transposed_operands(l, {1, shape[0], shape[1], shape[2], outputs}, x, w))[0];
    EXPECT_THAT(
        floats_of(y.bytes),
        Pointwise(FloatNear(1e-5f), scattered(l, shape, floats_of(x.bytes), floats_of(w.bytes))));
  }
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
