// Cases of conv_3d: groups, strides, dilation, padding, layouts, empty dims.
#include "tests/ops/cases.h"
#include "tests/ops/convolutions.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;
using Volumes = Geometry<3>;

OpCase conv(const char* name, const Dims& x, const Dims& w, const Volumes& g) {
  return conv_of_floats<Conv3dAttributes>(name, x, w, conv_dims(x, w, g), g);
}

OpCase long_sums(const char* name, const Dims& x, const Dims& w, const Volumes& g) {
  OpCase c = conv(name, x, w, g);
  c.tolerance = 1e-4;
  return c;
}

OpCase volume_in_planes(OpCase c) {
  c.name += "_planes";
  for (Operand* operand : {&c.inputs[0], &c.inputs[1], &c.outputs[0]}) operand->order.clear();
  return c;
}

}  // namespace

std::vector<OpCase> conv_3d_cases() {
  const Activation relu6 = {ActivationKind::kClip, 0, 6};
  const Volumes around = {.begin = {1, 1, 1}, .end = {1, 1, 1}};
  return expanded({
      conv("pointwise", {1, 8, 2, 3, 5}, {16, 8, 1, 1, 1}, {}),
      conv("one_element", {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {}),
      {conv("cube3", {2, 3, 4, 5, 3}, {17, 3, 3, 3, 3}, around),
       {without_bias, volume_in_planes, in_panels, panels_of_float16, panels_of_bfloat16}},
      conv("strides", {1, 5, 7, 6, 9}, {18, 5, 2, 3, 2}, {.stride = {3, 1, 2}}),
      conv("stride_beyond_kernel", {1, 2, 7, 5, 4}, {3, 2, 2, 1, 1}, {.stride = {4, 2, 3}}),
      conv("dilations", {1, 2, 6, 7, 5}, {5, 2, 2, 3, 3},
           {.dilation = {4, 2, 1}, .begin = {2, 1, 0}, .end = {0, 1, 2}}),
      {conv("strides_and_dilations", {1, 2, 6, 8, 7}, {5, 2, 2, 3, 3},
            {.stride = {2, 3, 1}, .dilation = {3, 1, 2}, .begin = {1, 0, 3}, .end = {2, 1, 0}}),
       {in_panels}},
      conv("deep_padding", {1, 2, 2, 3, 2}, {3, 2, 2, 2, 3},
           {.stride = {2, 1, 3}, .begin = {5, 0, 4}, .end = {1, 3, 6}}),
      {conv("groups_of_two", {1, 6, 3, 4, 3}, {9, 2, 2, 3, 2},
            {.stride = {1, 2, 1}, .begin = {0, 1, 1}, .groups = 3}),
       {float16_weights, bfloat16_weights}},
      {conv("depthwise", {1, 19, 4, 3, 4}, {19, 1, 3, 2, 3},
            {.begin = {1, 1, 1}, .end = {1, 0, 1}, .groups = 19}),
       {without_bias, volume_in_planes, float16_weights, bfloat16_weights}},
      conv("depthwise_multiplier", {1, 3, 3, 4, 4}, {6, 1, 2, 3, 3}, {.groups = 3}),
      conv("clip", {1, 8, 3, 4, 4}, {18, 8, 2, 2, 2}, {.activation = relu6}),
      conv("sigmoid", {1, 4, 2, 5, 3}, {20, 4, 2, 2, 2},
           {.activation = {ActivationKind::kSigmoid, 0, 0}}),
      {conv("large", {1, 24, 4, 6, 5}, {33, 24, 3, 3, 3}, around), {in_panels}},
      // Slices that are added up in their place, by kernels that have more of all: rows of a tile,
      // panels, channels of a chunk.
      {conv("many_places", {2, 18, 3, 5, 11}, {50, 18, 2, 3, 3},
            {.begin = {1, 1, 1}, .end = {1, 1, 1}, .activation = relu6}),
       {without_bias, in_panels, panels_of_float16}},
      {long_sums("many_channels", {1, 270, 2, 3, 5}, {35, 270, 2, 1, 2},
                 {.activation = {ActivationKind::kSwish, 1, 0}}),
       {in_panels, without_bias}},
      {conv("first_layer", {1, 3, 5, 12, 13}, {24, 3, 3, 7, 7},
            {.stride = {1, 2, 2}, .begin = {1, 3, 3}, .end = {1, 3, 3}}),
       {in_panels, without_bias, volume_in_planes}},
      {conv("along_depth", {2, 18, 6, 5, 7}, {40, 18, 3, 1, 1},
            {.begin = {1, 0, 0}, .end = {1, 0, 0}, .activation = relu6}),
       {in_panels, without_bias, volume_in_planes}},
      conv("along_depth_strides", {1, 18, 7, 5, 7}, {17, 18, 3, 1, 1},
           {.stride = {2, 1, 1}, .dilation = {2, 1, 1}, .begin = {3, 0, 0}, .end = {2, 0, 0}}),
      {conv("within_slices", {1, 20, 4, 7, 8}, {33, 20, 1, 3, 3},
            {.begin = {0, 1, 1}, .end = {0, 1, 1}}),
       {in_panels}},
      {conv("many_pointwise", {2, 33, 3, 5, 6}, {20, 33, 1, 1, 1}, {}), {in_panels}},
      conv("strided_pointwise", {1, 17, 5, 6, 7}, {33, 17, 1, 1, 1}, {.stride = {2, 2, 2}}),
      conv("slices_outside", {1, 16, 2, 4, 5}, {18, 16, 2, 2, 2},
           {.begin = {3, 1, 0}, .end = {3, 0, 1}, .activation = relu6}),
      {conv("groups_of_many", {1, 36, 3, 4, 5}, {40, 18, 2, 2, 2},
            {.begin = {1, 0, 1}, .end = {0, 1, 0}, .groups = 2}),
       {float16_weights}},
      {conv("groups_of_four", {1, 32, 4, 5, 9}, {32, 4, 3, 3, 3},
            {.begin = {1, 1, 1}, .end = {1, 1, 1}, .groups = 8, .activation = relu6}),
       {float16_weights, without_bias}},
      conv("channels_of_two_columns", {1, 19, 3, 5, 9}, {38, 1, 2, 3, 3},
           {.begin = {1, 1, 1}, .end = {1, 1, 1}, .groups = 19, .activation = relu6}),
      conv("channels_of_eight_columns", {2, 16, 4, 3, 11}, {128, 1, 3, 2, 5},
           {.begin = {1, 0, 2}, .end = {1, 1, 2}, .groups = 16}),
      conv("groups_of_eight_within_slices", {2, 40, 2, 4, 5}, {40, 8, 1, 2, 3}, {.groups = 5}),
      conv("five_groups_of_eight", {1, 40, 3, 4, 5}, {40, 8, 2, 2, 3}, {.groups = 5}),
      {conv("large_depthwise", {1, 37, 5, 11, 12}, {37, 1, 3, 3, 3},
            {.begin = {1, 1, 1}, .end = {1, 1, 1}, .groups = 37, .activation = relu6}),
       {without_bias, float16_weights}},
      {conv("depthwise_of_vectors", {1, 32, 4, 6, 9}, {32, 1, 3, 5, 5},
            {.stride = {1, 2, 2}, .begin = {1, 2, 2}, .end = {1, 2, 2}, .groups = 32}),
       {without_bias}},
      conv("depthwise_along_depth", {1, 24, 5, 4, 3}, {24, 1, 3, 1, 1},
           {.begin = {1, 0, 0}, .end = {1, 0, 0}, .groups = 24}),
      conv("no_images", {0, 4, 2, 5, 5}, {8, 4, 2, 3, 3}, {}),
      {conv("no_outputs", {1, 4, 2, 5, 5}, {0, 4, 2, 3, 3}, {}), {in_panels}},
      {conv("no_channels", {1, 0, 2, 5, 5}, {8, 0, 2, 3, 3}, {}), {in_panels}},
      conv("no_slices", {1, 4, 0, 3, 5}, {8, 4, 1, 3, 2}, around),
  });
}

// Follows the definition: each output adds up the inputs under its taps.
std::vector<Numbers> conv_3d_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<Conv3dAttributes>(c);
  const Numbers& x = inputs[0];
  const Numbers& w = inputs[1];
  Numbers y = blank_output(c, 0);
  const bool biased = inputs.size() > 2 && !c.inputs[2].absent;
  const uint32_t outputs = w.dims[0] / a.groups;
  const Dims taps = {w.dims[1], w.dims[2], w.dims[3], w.dims[4]};
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Index to = index_of(y.dims, p);
    Number sum = biased ? inputs[2].values[to[1]] : 0;
    for (uint64_t t = 0; t < count_of(taps); ++t) {
      const Index tap = index_of(taps, t);
      Index from = {to[0], to[1] / outputs * w.dims[1] + tap[0], 0, 0, 0};
      bool inside = true;
      for (uint32_t d = 0; d < 3; ++d) {
        const int64_t at = int64_t{to[2 + d]} * a.stride[d] + int64_t{tap[1 + d]} * a.dilation[d] -
                           int64_t{a.pad_begin[d]};
        inside = inside && at >= 0 && at < x.dims[2 + d];
        from[2 + d] = static_cast<uint32_t>(at);
      }
      if (inside) sum += at(x, from) * at(w, {to[1], tap[0], tap[1], tap[2], tap[3]});
    }
    y.values[p] = activated(a.activation, sum);
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
