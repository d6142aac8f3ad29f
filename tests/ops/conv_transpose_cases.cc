// Cases of conv_transpose: groups, strides, dilation, padding, one to three dims, layouts, empty
// dims.
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

struct Geometry {
  uint32_t stride[3] = {1, 1, 1};
  uint32_t dilation[3] = {1, 1, 1};
  uint32_t begin[3] = {0, 0, 0};
  uint32_t end[3] = {0, 0, 0};
  uint32_t groups = 1;
  Activation activation = {};
};

using Dims = std::vector<uint32_t>;

// x [N, C, D, H, W] and w [O, I, KD, KH, KW] channels last, a bias, y by the usual formula.
OpCase conv(const char* name, const Dims& x, const Dims& w, const Geometry& g) {
  OpCase c;
  c.name = name;
  c.tolerance = 1e-5;
  ConvTransposeAttributes a = {};
  a.groups = g.groups;
  a.activation = g.activation;
  Dims y = {x[0], w[0], 0, 0, 0};
  for (uint32_t d = 0; d < 3; ++d) {
    a.stride[d] = g.stride[d];
    a.dilation[d] = g.dilation[d];
    a.pad_begin[d] = g.begin[d];
    const int64_t all = (int64_t{x[2 + d]} - 1) * g.stride[d] +
                        (int64_t{w[2 + d]} - 1) * g.dilation[d] + 1 - g.begin[d] - g.end[d];
    y[2 + d] = all < 0 ? 0 : static_cast<uint32_t>(all);
  }
  c.attributes = words(a);
  c.inputs = {channels_last(tensor(x)), channels_last(tensor(w)), tensor({w[0]})};
  c.outputs = {channels_last(tensor(y))};
  return c;
}

// Outputs that no input reaches: only the bias is there.
OpCase larger_output(OpCase c) {
  c.name += "_larger_output";
  c.outputs[0].dims[3] += 5;
  c.outputs[0].dims[4] += 9;
  return c;
}

}  // namespace

std::vector<OpCase> conv_transpose_cases() {
  const Activation relu6 = {ActivationKind::kClip, 0, 6};
  const Geometry twice = {.stride = {1, 2, 2}, .begin = {0, 1, 1}};
  std::vector<OpCase> cases = {
      conv("pointwise", {1, 8, 1, 5, 7}, {16, 8, 1, 1, 1}, {}),
      conv("one_element", {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {}),
      conv("square3", {2, 3, 1, 4, 5}, {17, 3, 1, 3, 3}, {.begin = {0, 1, 1}, .end = {0, 1, 1}}),
      conv("square2_stride2", {1, 5, 1, 4, 5}, {18, 5, 1, 2, 2}, {.stride = {1, 2, 2}}),
      conv("square4_stride2", {1, 3, 1, 5, 4}, {16, 3, 1, 4, 4}, twice),
      conv("stride_beyond_kernel", {1, 2, 1, 3, 4}, {3, 2, 1, 2, 1}, {.stride = {1, 5, 3}}),
      conv("dilation", {1, 2, 1, 4, 5}, {5, 2, 1, 3, 3}, {.dilation = {1, 3, 2}}),
      conv("stride_and_dilation", {1, 2, 1, 4, 5}, {5, 2, 1, 3, 4},
           {.stride = {1, 4, 3}, .dilation = {1, 6, 2}, .begin = {0, 3, 1}, .end = {0, 2, 0}}),
      conv("deep_padding", {1, 2, 1, 6, 7}, {3, 2, 1, 3, 3},
           {.stride = {1, 2, 2}, .begin = {0, 5, 6}, .end = {0, 1, 4}}),
      conv("one_dimensional", {2, 6, 1, 1, 9}, {10, 6, 1, 1, 4},
           {.stride = {1, 1, 3}, .begin = {0, 0, 2}, .end = {0, 0, 1}}),
      conv("volume", {1, 3, 3, 2, 4}, {4, 3, 2, 3, 2}, {.stride = {2, 1, 3}, .begin = {1, 0, 1}}),
      conv("groups_of_two", {1, 6, 1, 4, 3}, {9, 2, 1, 3, 3},
           {.stride = {1, 2, 1}, .begin = {0, 1, 1}, .groups = 3}),
      conv("depthwise", {1, 19, 1, 4, 5}, {19, 1, 1, 4, 4},
           {.stride = {1, 2, 2}, .begin = {0, 1, 1}, .end = {0, 1, 1}, .groups = 19}),
      conv("depthwise_multiplier", {1, 3, 1, 4, 4}, {6, 1, 1, 3, 3}, {.groups = 3}),
      conv("clip", {1, 8, 1, 4, 4}, {18, 8, 1, 2, 2}, {.stride = {1, 2, 2}, .activation = relu6}),
      conv("sigmoid", {1, 4, 1, 5, 5}, {20, 4, 1, 2, 2},
           {.activation = {ActivationKind::kSigmoid, 0, 0}}),
      conv("large", {1, 24, 1, 8, 7}, {33, 24, 1, 4, 4}, twice),
      conv("no_images", {0, 4, 1, 5, 5}, {8, 4, 1, 3, 3}, {}),
      conv("no_outputs", {1, 4, 1, 5, 5}, {0, 4, 1, 3, 3}, {}),
      conv("no_channels", {1, 0, 1, 5, 5}, {8, 0, 1, 3, 3}, {}),
      conv("no_rows", {1, 4, 1, 0, 5}, {8, 4, 1, 3, 2}, {}),
  };
  for (size_t i = 0, count = cases.size(); i < count; ++i) {
    const std::string name = cases[i].name;
    if (name == "square3" || name == "depthwise" || name == "square4_stride2") {
      cases.push_back(without_bias(cases[i]));
      cases.push_back(larger_output(cases[i]));
    }
    if (name == "square3" || name == "stride_and_dilation" || name == "volume" || name == "large" ||
        name == "no_outputs" || name == "no_channels") {
      cases.push_back(in_panels(cases[i]));
    }
  }
  for (size_t i = 0, count = cases.size(); i < count; ++i) {
    const std::string name = cases[i].name;
    if (name == "square3_panels" || name == "depthwise" || name == "groups_of_two") {
      cases.push_back(with_weights(DType::kFloat16, cases[i]));
      cases.push_back(with_weights(DType::kBfloat16, cases[i]));
    }
  }
  return cases;
}

// By its definition: each input adds to the outputs that its taps reach.
std::vector<Numbers> conv_transpose_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<ConvTransposeAttributes>(c);
  const Numbers& x = inputs[0];
  const Numbers& w = inputs[1];
  Numbers y = blank_output(c, 0);
  const bool biased = inputs.size() > 2 && !c.inputs[2].absent;
  for (uint64_t p = 0; p < y.values.size() && biased; ++p) {
    y.values[p] = inputs[2].values[index_of(y.dims, p)[1]];
  }
  const uint32_t outputs = w.dims[0] / a.groups;
  for (uint64_t p = 0; p < x.values.size(); ++p) {
    const Dims from = index_of(x.dims, p);
    const uint32_t group = from[1] / w.dims[1];
    const Dims taps = {outputs, w.dims[2], w.dims[3], w.dims[4]};
    for (uint64_t t = 0; t < count_of(taps); ++t) {
      const Dims tap = index_of(taps, t);
      const uint32_t o = group * outputs + tap[0];
      Dims to = {from[0], o, 0, 0, 0};
      bool inside = true;
      for (uint32_t d = 0; d < 3; ++d) {
        const int64_t at = int64_t{from[2 + d]} * a.stride[d] +
                           int64_t{tap[1 + d]} * a.dilation[d] - int64_t{a.pad_begin[d]};
        inside = inside && at >= 0 && at < y.dims[2 + d];
        to[2 + d] = static_cast<uint32_t>(at);
      }
      if (!inside) continue;
      y.values[position_of(y.dims, to)] +=
          x.values[p] * at(w, {o, from[1] % w.dims[1], tap[1], tap[2], tap[3]});
    }
  }
  for (Number& value : y.values) value = activated(a.activation, value);
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
