// Cases of conv_transpose: groups, strides, dilation, padding, one to three dims, layouts, empty
// dims.
#include "tests/ops/cases.h"
#include "tests/ops/convolutions.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;
using Volumes = Geometry<3>;

OpCase conv(const char* name, const Dims& x, const Dims& w, const Volumes& g) {
  return conv_of_floats<ConvTransposeAttributes>(name, x, w, conv_transpose_dims(x, w, g), g);
}

OpCase larger(OpCase c) { return larger_output(std::move(c), 5, 9); }

}  // namespace

std::vector<OpCase> conv_transpose_cases() {
  const Activation relu6 = {ActivationKind::kClip, 0, 6};
  const Volumes twice = {.stride = {1, 2, 2}, .begin = {0, 1, 1}};
  return expanded({
      conv("pointwise", {1, 8, 1, 5, 7}, {16, 8, 1, 1, 1}, {}),
      conv("one_element", {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {}),
      {conv("square3", {2, 3, 1, 4, 5}, {17, 3, 1, 3, 3}, {.begin = {0, 1, 1}, .end = {0, 1, 1}}),
       {without_bias, larger, in_panels, panels_of_float16, panels_of_bfloat16}},
      conv("square2_stride2", {1, 5, 1, 4, 5}, {18, 5, 1, 2, 2}, {.stride = {1, 2, 2}}),
      {conv("square4_stride2", {1, 3, 1, 5, 4}, {16, 3, 1, 4, 4}, twice), {without_bias, larger}},
      conv("stride_beyond_kernel", {1, 2, 1, 3, 4}, {3, 2, 1, 2, 1}, {.stride = {1, 5, 3}}),
      conv("dilation", {1, 2, 1, 4, 5}, {5, 2, 1, 3, 3}, {.dilation = {1, 3, 2}}),
      {conv("stride_and_dilation", {1, 2, 1, 4, 5}, {5, 2, 1, 3, 4},
            {.stride = {1, 4, 3}, .dilation = {1, 6, 2}, .begin = {0, 3, 1}, .end = {0, 2, 0}}),
       {in_panels}},
      conv("deep_padding", {1, 2, 1, 6, 7}, {3, 2, 1, 3, 3},
           {.stride = {1, 2, 2}, .begin = {0, 5, 6}, .end = {0, 1, 4}}),
      conv("one_dimensional", {2, 6, 1, 1, 9}, {10, 6, 1, 1, 4},
           {.stride = {1, 1, 3}, .begin = {0, 0, 2}, .end = {0, 0, 1}}),
      {conv("volume", {1, 3, 3, 2, 4}, {4, 3, 2, 3, 2}, {.stride = {2, 1, 3}, .begin = {1, 0, 1}}),
       {in_panels}},
      {conv("groups_of_two", {1, 6, 1, 4, 3}, {9, 2, 1, 3, 3},
            {.stride = {1, 2, 1}, .begin = {0, 1, 1}, .groups = 3}),
       {float16_weights, bfloat16_weights}},
      {conv("depthwise", {1, 19, 1, 4, 5}, {19, 1, 1, 4, 4},
            {.stride = {1, 2, 2}, .begin = {0, 1, 1}, .end = {0, 1, 1}, .groups = 19}),
       {without_bias, larger, float16_weights, bfloat16_weights}},
      conv("depthwise_multiplier", {1, 3, 1, 4, 4}, {6, 1, 1, 3, 3}, {.groups = 3}),
      conv("clip", {1, 8, 1, 4, 4}, {18, 8, 1, 2, 2}, {.stride = {1, 2, 2}, .activation = relu6}),
      conv("sigmoid", {1, 4, 1, 5, 5}, {20, 4, 1, 2, 2},
           {.activation = {ActivationKind::kSigmoid, 0, 0}}),
      {conv("large", {1, 24, 1, 8, 7}, {33, 24, 1, 4, 4}, twice), {in_panels}},
      // Several taps reach an output, some of which lie beside the input.
      {conv("phases_of_four", {2, 20, 1, 6, 9}, {18, 20, 1, 4, 4},
            {.stride = {1, 2, 2}, .begin = {0, 1, 1}, .end = {0, 1, 1}, .activation = relu6}),
       {without_bias, in_panels, float16_weights, panels_of_bfloat16, larger}},
      {conv("phases_of_three", {1, 17, 1, 7, 15}, {33, 17, 1, 3, 3},
            {.stride = {1, 2, 2}, .begin = {0, 1, 1}, .end = {0, 0, 1}}),
       {in_panels}},
      conv("phases_uneven", {1, 20, 1, 5, 7}, {16, 20, 1, 5, 4},
           {.stride = {1, 3, 2}, .dilation = {1, 2, 3}, .begin = {0, 4, 1}, .end = {0, 0, 3}}),
      conv("phases_without_taps", {1, 40, 1, 5, 6}, {20, 40, 1, 2, 1}, {.stride = {1, 3, 2}}),
      conv("phases_in_deep_padding", {1, 40, 1, 6, 9}, {20, 40, 1, 3, 4},
           {.stride = {1, 2, 2}, .begin = {0, 7, 8}, .end = {0, 1, 5}}),
      conv("phases_in_a_line", {2, 33, 1, 1, 40}, {24, 33, 1, 1, 8},
           {.stride = {1, 1, 4}, .begin = {0, 0, 2}, .end = {0, 0, 2}}),
      {conv("phases_of_volumes", {1, 9, 3, 4, 5}, {16, 9, 3, 3, 2},
            {.stride = {2, 2, 1},
             .begin = {1, 0, 1},
             .activation = {ActivationKind::kSigmoid, 0, 0}}),
       {in_panels, without_bias}},
      conv("phases_of_groups", {2, 24, 1, 6, 5}, {15, 8, 1, 4, 4},
           {.stride = {1, 2, 2}, .begin = {0, 1, 1}, .end = {0, 1, 1}, .groups = 3}),
      {conv("phases_large", {1, 32, 1, 9, 15}, {24, 32, 1, 4, 4},
            {.stride = {1, 2, 2}, .begin = {0, 1, 1}, .end = {0, 1, 1}}),
       {in_panels}},
      // Each tap has outputs of its own.
      {conv("taps_apart", {2, 24, 1, 8, 9}, {24, 24, 1, 2, 2},
            {.stride = {1, 2, 2}, .activation = relu6}),
       {without_bias, in_panels, float16_weights, panels_of_float16, panels_of_bfloat16, larger}},
      {conv("taps_apart_to_one", {1, 24, 1, 20, 21}, {1, 24, 1, 2, 2},
            {.stride = {1, 2, 2}, .activation = {ActivationKind::kSigmoid, 0, 0}}),
       {in_panels, bfloat16_weights}},
      {conv("taps_apart_uneven", {1, 300, 1, 3, 5}, {35, 300, 1, 3, 2}, {.stride = {1, 3, 2}}),
       {in_panels}},
      {conv("taps_apart_in_a_line", {1, 40, 1, 1, 33}, {16, 40, 1, 1, 4}, {.stride = {1, 1, 4}}),
       {in_panels, without_bias}},
      conv("no_images", {0, 4, 1, 5, 5}, {8, 4, 1, 3, 3}, {}),
      {conv("no_outputs", {1, 4, 1, 5, 5}, {0, 4, 1, 3, 3}, {}), {in_panels}},
      {conv("no_channels", {1, 0, 1, 5, 5}, {8, 0, 1, 3, 3}, {}), {in_panels}},
      conv("no_rows", {1, 4, 1, 0, 5}, {8, 4, 1, 3, 2}, {}),
  });
}

// Follows the definition: each input adds to the outputs that its taps reach.
std::vector<Numbers> conv_transpose_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<ConvTransposeAttributes>(c);
  const Numbers& x = inputs[0];
  const Numbers& w = inputs[1];
  Numbers y = blank_output(c, 0);
  const bool biased = inputs.size() > 2 && !c.inputs[2].absent;
  for (uint64_t p = 0; p < y.values.size() && biased; ++p) {
    y.values[p] = inputs[2].values[index_of(y.dims, p)[1]];
  }
  for_transposed_taps(a, x, w, y, [&](uint64_t from, uint64_t to, uint32_t, uint64_t tap) {
    y.values[to] += x.values[from] * w.values[tap];
  });
  for (Number& value : y.values) value = activated(a.activation, value);
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
