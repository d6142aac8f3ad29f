// Cases of conv: groups, strides, dilation, padding, activations, layouts, empty dims.
#include "tests/ops/cases.h"
#include "tests/ops/convolutions.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;
using Windows = Geometry<2>;

OpCase conv(const char* name, const Dims& x, const Dims& w, const Windows& g) {
  return conv_of_floats<ConvAttributes>(name, x, w, conv_dims(x, w, g), g);
}

// Winograd's transforms take these: their sums pass through numbers that are larger than the
// results.
OpCase tiled(const char* name, const Dims& x, const Dims& w, const Windows& g) {
  OpCase c = conv(name, x, w, g);
  c.tolerance = 1e-4;
  return c;
}

OpCase absent_bias(OpCase c) {
  c.name += "_absent_bias";
  c.inputs[2] = absent();
  return c;
}

// The first tap of each output is infinite, or the last one NaN: sums at the edges where it lies
// outside of the input are finite.
OpCase infinite_taps(OpCase c) {
  c.name += "_infinite_taps";
  Operand& w = c.inputs[1];
  const uint64_t taps = uint64_t{w.dims[2]} * w.dims[3];
  const uint64_t products = w.dims[1] * taps;
  for (uint64_t i = 0; i < w.dims[0] * products; ++i) {
    Number weight = static_cast<Number>(i * 7 % 11) / 8 - 0.5L;
    const bool odd = i / products % 2 != 0;
    if (!odd && i % taps == 0) weight = __builtin_infl();
    if (odd && i % taps == taps - 1) weight = __builtin_nanl("");
    w.values.push_back(weight);
  }
  return c;
}

// Another operand of the output's dims, laid out as it is.
OpCase with_residual(OpCase c) {
  c.name += "_residual";
  if (c.inputs.size() == 2) c.inputs.push_back(absent());
  c.inputs.push_back(c.outputs[0]);
  return c;
}

OpCase residual_without_bias(OpCase c) { return with_residual(absent_bias(std::move(c))); }

// Not as the output is.
OpCase residual_in_planes(OpCase c) {
  c = with_residual(std::move(c));
  c.name += "_in_planes";
  c.inputs[kResidualInput].order.clear();
  return c;
}

OpCase residual_of_panels(OpCase c) { return with_residual(in_panels(std::move(c))); }

OpCase larger(OpCase c) { return larger_output(std::move(c), 3, 2); }

// Depthwise windows of every kind, over fewer channels than vectors hold, and some more.
std::vector<OpCase> depthwise_windows() {
  struct Case {
    const char* name;
    uint32_t height, width, kernel_h, kernel_w;
    Windows windows;
  };
  const Activation half_sigmoid = {ActivationKind::kHardSigmoid, 0.25f, 0.5f};
  const Activation sigmoid = {ActivationKind::kSigmoid, 0, 0};
  const Activation hard_swish = {ActivationKind::kHardSwish, 1.0f / 6, 0.5f};
  const Activation swish = {ActivationKind::kSwish, 1.5f, 0};
  const Case windows[] = {
      {"line", 1, 9, 1, 4, {.begin = {0, 1}, .end = {0, 2}}},
      {"column", 8, 1, 5, 1, {.stride = {2, 1}, .begin = {2, 0}, .end = {2, 0}}},
      {"one_tap", 3, 4, 1, 1, {.activation = half_sigmoid}},
      {"strides", 9, 10, 3, 3, {.stride = {2, 3}, .begin = {1, 0}, .end = {1, 1}}},
      {"dilation", 9, 8, 2, 3, {.dilation = {3, 2}, .begin = {3, 2}, .end = {0, 2}}},
      {"wide", 4, 5, 4, 5, {.begin = {3, 4}, .end = {3, 4}, .activation = sigmoid}},
      {"outside", 2, 3, 2, 2, {.begin = {3, 3}, .end = {2, 3}, .activation = hard_swish}},
      {"whole", 5, 4, 5, 4, {.activation = swish}},
      // Lines of eight places, of seven, and of what they leave.
      {"threes", 3, 14, 3, 3, {.begin = {1, 2}, .end = {1, 1}, .activation = hard_swish}},
      {"threes_apart", 4, 29, 2, 3, {.stride = {1, 2}, .begin = {0, 1}, .end = {1, 2}}},
      {"fives", 6, 19, 5, 5, {.begin = {2, 4}, .end = {2, 3}, .activation = sigmoid}},
      {"fives_apart", 5, 28, 3, 5, {.stride = {2, 2}, .begin = {1, 2}, .end = {1, 2}}},
      {"fives_below_one", 1, 1, 5, 5, {.begin = {2, 2}, .end = {2, 2}}},
      {"threes_far_outside", 3, 2, 3, 3, {.begin = {1, 3}, .end = {1, 4}}},
  };
  std::vector<OpCase> cases;
  for (const uint32_t channels : {3u, 4u, 18u, 32u}) {
    for (const Case& c : windows) {
      Windows geometry = c.windows;
      geometry.groups = channels;
      const std::string name = std::string("depthwise_") + c.name + std::to_string(channels);
      cases.push_back(conv(name.c_str(), {2, channels, c.height, c.width},
                           {channels, 1, c.kernel_h, c.kernel_w}, geometry));
    }
  }
  return cases;
}

// Windows of groups of which vectors have several, and of channels that several columns read: whole
// vectors, and some channels more.
std::vector<OpCase> windows_of_small_groups() {
  struct Case {
    const char* name;
    uint32_t height, width, kernel_h, kernel_w;
    Windows windows;
  };
  const Activation relu6 = {ActivationKind::kClip, 0, 6};
  const Activation swish = {ActivationKind::kSwish, 1.5f, 0};
  const Case windows[] = {
      {"one_tap", 3, 5, 1, 1, {.activation = relu6}},
      {"threes", 4, 23, 3, 3, {.begin = {1, 1}, .end = {1, 1}, .activation = swish}},
      {"threes_apart", 5, 30, 3, 3, {.stride = {2, 2}, .begin = {1, 2}, .end = {1, 1}}},
      {"threes_outside", 2, 2, 3, 3, {.begin = {1, 2}, .end = {2, 2}}},
      {"fives", 6, 13, 5, 5, {.begin = {2, 4}, .end = {2, 3}}},
      {"dilation", 9, 12, 2, 3, {.dilation = {3, 2}, .begin = {3, 2}, .end = {0, 2}}},
      {"strides", 9, 14, 2, 4, {.stride = {2, 3}, .begin = {1, 0}, .end = {1, 1}}},
  };
  std::vector<OpCase> cases;
  struct Groups {
    uint32_t groups, channels, columns;
  };
  const Groups kinds[] = {{5, 2, 2}, {16, 2, 2}, {5, 4, 4},  {16, 4, 4}, {5, 8, 8},   {16, 8, 8},
                          {9, 1, 2}, {19, 1, 3}, {32, 1, 2}, {8, 1, 5},  {16, 1, 17}, {16, 1, 8}};
  for (const auto& [groups, channels, columns] : kinds) {
    for (const Case& c : windows) {
      Windows geometry = c.windows;
      geometry.groups = groups;
      const std::string name = std::to_string(groups) + "_groups_of_" + std::to_string(channels) +
                               (columns == channels ? "" : "_by_" + std::to_string(columns)) + "_" +
                               c.name;
      cases.push_back(conv(name.c_str(), {2, groups * channels, c.height, c.width},
                           {groups * columns, channels, c.kernel_h, c.kernel_w}, geometry));
    }
    const OpCase some = cases[cases.size() - std::size(windows) + 1];
    const OpCase windows_apart = cases.back();
    cases.push_back(with_residual(some));
    cases.push_back(residual_without_bias(some));
    cases.push_back(float16_weights(some));
    cases.push_back(bfloat16_weights(some));
    cases.push_back(infinite_taps(some));
    cases.push_back(with_residual(windows_apart));
  }
  return cases;
}

}  // namespace

std::vector<OpCase> conv_cases() {
  const Windows same = {.begin = {1, 1}, .end = {1, 1}};
  const Activation relu6 = {ActivationKind::kClip, 0, 6};
  std::vector<OpCase> cases = expanded({
      {conv("pointwise", {1, 8, 5, 7}, {16, 8, 1, 1}, {}),
       {without_bias, absent_bias, larger, with_residual, residual_without_bias}},
      {conv("pointwise_prime", {2, 7, 3, 5}, {13, 7, 1, 1}, {}),
       {in_panels, panels_of_float16, panels_of_bfloat16, with_residual, residual_in_planes}},
      // More columns than a strip of deep sums has.
      {conv("pointwise_many_columns", {1, 6, 5, 9}, {100, 6, 1, 1}, {}),
       {in_panels, float16_weights, panels_of_float16, panels_of_bfloat16}},
      conv("one_element", {1, 1, 1, 1}, {1, 1, 1, 1}, {}),
      {conv("square3", {1, 3, 9, 11}, {17, 3, 3, 3}, same),
       {without_bias, absent_bias, larger, in_panels, float16_weights, bfloat16_weights,
        with_residual, residual_of_panels, residual_without_bias}},
      conv("square3_stride2", {1, 3, 9, 12}, {16, 3, 3, 3},
           {.stride = {2, 2}, .begin = {0, 0}, .end = {1, 1}}),
      conv("kernel_2x5", {1, 4, 8, 9}, {6, 4, 2, 5},
           {.stride = {1, 3}, .begin = {1, 0}, .end = {0, 4}}),
      {conv("dilation", {1, 2, 12, 13}, {5, 2, 3, 3},
            {.dilation = {3, 2}, .begin = {3, 2}, .end = {3, 2}}),
       {in_panels}},
      conv("dilation_beyond_input", {1, 2, 3, 3}, {4, 2, 3, 3},
           {.dilation = {7, 7}, .begin = {7, 7}, .end = {7, 7}}),
      conv("padding_wider_than_kernel", {1, 2, 3, 3}, {3, 2, 2, 2},
           {.begin = {5, 4}, .end = {4, 5}}),
      conv("one_dimensional", {2, 6, 1, 19}, {10, 6, 1, 4},
           {.stride = {1, 2}, .dilation = {1, 2}, .begin = {0, 3}, .end = {0, 1}}),
      {conv("groups_of_two", {1, 6, 7, 6}, {9, 2, 3, 3},
            {.begin = {1, 1}, .end = {1, 1}, .groups = 3}),
       {without_bias, absent_bias, larger, float16_weights, bfloat16_weights, with_residual,
        residual_in_planes}},
      conv("groups_of_many", {1, 36, 3, 4}, {40, 18, 1, 1}, {.groups = 2}),
      {conv("depthwise", {1, 19, 7, 8}, {19, 1, 3, 3},
            {.begin = {1, 1}, .end = {1, 1}, .groups = 19}),
       {without_bias, absent_bias, larger, float16_weights, bfloat16_weights, with_residual,
        residual_in_planes}},
      conv("depthwise_stride2_dilation", {2, 32, 11, 9}, {32, 1, 5, 3},
           {.stride = {2, 1}, .dilation = {1, 2}, .begin = {2, 2}, .end = {2, 2}, .groups = 32}),
      conv("depthwise_multiplier", {1, 5, 6, 6}, {15, 1, 3, 3},
           {.begin = {1, 1}, .end = {1, 1}, .groups = 5}),
      {conv("depthwise_one_channel", {1, 1, 6, 6}, {1, 1, 3, 3}, same),
       {float16_weights, bfloat16_weights}},
      {conv("clip", {1, 8, 6, 6}, {18, 8, 3, 3},
            {.begin = {1, 1}, .end = {1, 1}, .activation = relu6}),
       {in_panels, with_residual, residual_of_panels}},
      conv("clip_from_one_side", {1, 4, 5, 5}, {8, 4, 1, 1},
           {.activation = {ActivationKind::kClip, -0.25f, __builtin_inff()}}),
      conv("hard_sigmoid", {1, 4, 5, 5}, {8, 4, 1, 1},
           {.activation = {ActivationKind::kHardSigmoid, 0.2f, 0.5f}}),
      conv("sigmoid", {1, 4, 5, 5}, {20, 4, 1, 1},
           {.activation = {ActivationKind::kSigmoid, 0, 0}}),
      {conv("hard_swish", {1, 9, 7, 5}, {35, 9, 3, 3},
            {.begin = {1, 1},
             .end = {1, 1},
             .activation = {ActivationKind::kHardSwish, 1.0f / 6, 0.5f}}),
       {in_panels, larger}},
      {conv("swish", {1, 9, 7, 5}, {35, 9, 3, 3},
            {.begin = {1, 1}, .end = {1, 1}, .activation = {ActivationKind::kSwish, 1.25f, 0}}),
       {in_panels, larger, with_residual}},
      // More than a vector kernel adds at once: only the whole sum is bent.
      conv("swish_of_many_channels", {1, 300, 3, 5}, {33, 300, 1, 1},
           {.activation = {ActivationKind::kSwish, 1, 0}}),
      conv("depthwise_clip", {1, 16, 6, 6}, {16, 1, 3, 3},
           {.begin = {1, 1}, .end = {1, 1}, .groups = 16, .activation = relu6}),
      {tiled("large", {2, 24, 14, 13}, {33, 24, 3, 3}, same),
       {in_panels, panels_of_float16, panels_of_bfloat16, residual_of_panels}},
      {conv("large_small_groups", {1, 64, 29, 27}, {64, 4, 3, 3},
            {.begin = {1, 1}, .end = {1, 1}, .groups = 16, .activation = relu6}),
       {with_residual}},
      conv("groups_of_columns_left_over", {1, 68, 15, 14}, {68, 17, 1, 1}, {.groups = 4}),
      {conv("large_depthwise", {1, 96, 23, 21}, {96, 1, 3, 3},
            {.begin = {1, 1}, .end = {1, 1}, .groups = 96}),
       {with_residual}},
      conv("large_fully_connected", {1, 512, 1, 1}, {100, 512, 1, 1}, {}),
      // Beyond what a vector kernel adds at once: rows of a tile, channels of a chunk, both panels.
      {conv("many_places", {2, 17, 9, 11}, {50, 17, 1, 1}, {}), {in_panels, residual_of_panels}},
      {conv("many_channels", {1, 300, 3, 5}, {35, 300, 1, 1}, {}),
       {in_panels, without_bias, with_residual, residual_of_panels, residual_in_planes}},
      {conv("window_of_many_channels", {1, 40, 6, 7}, {20, 40, 3, 3}, same), {in_panels}},
      {conv("uneven_window", {2, 20, 11, 10}, {33, 20, 3, 2},
            {.stride = {2, 1}, .dilation = {1, 2}, .begin = {2, 0}, .end = {0, 3}}),
       {in_panels}},
      {conv("strided_places", {1, 18, 9, 7}, {32, 18, 1, 1}, {.stride = {2, 3}}), {in_panels}},
      conv("groups_of_windows", {2, 40, 5, 6}, {38, 20, 3, 3},
           {.begin = {1, 1}, .end = {1, 1}, .groups = 2}),
      // Columns that end with half a vector of sixteen.
      {conv("eight_columns", {1, 40, 6, 7}, {8, 40, 1, 1}, {.activation = relu6}),
       {in_panels, residual_of_panels}},
      {conv("three_eights", {1, 40, 6, 7}, {24, 40, 1, 1},
            {.activation = {ActivationKind::kHardSwish, 1.0f / 6, 0.5f}}),
       {in_panels, panels_of_float16, larger, with_residual, residual_of_panels}},
      {conv("five_eights", {1, 300, 5, 5}, {40, 300, 1, 1},
            {.activation = {ActivationKind::kSwish, 1, 0}}),
       {in_panels, without_bias, residual_of_panels}},
      // Planes in which neighboring places lie one and two floats apart.
      {conv("first_layer", {1, 3, 9, 45}, {24, 3, 3, 3}, same), {in_panels, residual_of_panels}},
      {conv("first_layer_stride2", {2, 3, 13, 70}, {16, 3, 3, 3},
            {.stride = {2, 2}, .begin = {1, 1}, .end = {1, 1}, .activation = relu6}),
       {in_panels, larger}},
      // What Winograd's transforms take: tiles that leave x or y, few channels and columns of the
      // last vector or panel, more than are transformed at once.
      {tiled("winograd_tiles", {2, 16, 8, 12}, {32, 16, 3, 3}, same),
       {in_panels, without_bias, absent_bias, larger, panels_of_float16, panels_of_bfloat16,
        with_residual, residual_in_planes}},
      {tiled("winograd_edges", {1, 19, 11, 13}, {37, 19, 3, 3},
             {.begin = {1, 0}, .end = {0, 2}, .activation = relu6}),
       {in_panels, larger, float16_weights, with_residual, residual_of_panels}},
      {tiled("winograd_without_padding", {1, 40, 10, 10}, {24, 40, 3, 3},
             {.activation = {ActivationKind::kSwish, 1, 0}}),
       {in_panels}},
      {tiled("winograd_wide_padding", {1, 20, 6, 9}, {50, 20, 3, 3},
             {.begin = {3, 5}, .end = {4, 2}}),
       {in_panels}},
      tiled("winograd_many_tiles", {1, 16, 31, 30}, {16, 16, 3, 3}, same),
      tiled("winograd_blocks", {1, 130, 21, 21}, {16, 130, 3, 3}, same),
      conv("no_images", {0, 4, 5, 5}, {8, 4, 3, 3}, {}),
      {conv("no_outputs", {1, 4, 5, 5}, {0, 4, 3, 3}, {}), {in_panels}},
      {conv("no_channels", {1, 0, 5, 5}, {8, 0, 3, 3}, {}), {in_panels}},
      conv("no_rows", {1, 4, 0, 5}, {8, 4, 2, 2}, {.begin = {1, 1}, .end = {2, 1}}),
      conv("kernel_too_wide", {1, 4, 2, 5}, {8, 4, 3, 3}, {}),
  });
  for (const OpCase& edges : {
           conv("few_channels", {1, 3, 9, 8}, {18, 3, 3, 3}, same),
           conv("channels_of_a_vector", {2, 20, 7, 8}, {35, 20, 3, 3}, same),
           conv("tap_of_two_chunks", {1, 300, 3, 4}, {17, 300, 3, 3}, same),
           tiled("winograd_tile", {1, 16, 11, 12}, {20, 16, 3, 3}, same),
           conv("all_taps_outside", {1, 16, 3, 3}, {16, 16, 2, 2},
                {.begin = {4, 3}, .end = {3, 4}}),
           conv("two_groups", {1, 32, 6, 7}, {36, 16, 3, 3},
                {.begin = {1, 1}, .end = {1, 1}, .groups = 2, .activation = relu6}),
           conv("depthwise_edges", {1, 37, 7, 8}, {37, 1, 3, 3},
                {.begin = {1, 1}, .end = {1, 1}, .groups = 37, .activation = relu6}),
       }) {
    cases.push_back(infinite_taps(edges));
    cases.push_back(float16_weights(infinite_taps(edges)));
  }
  for (OpCase& windows : depthwise_windows()) cases.push_back(std::move(windows));
  for (OpCase& windows : windows_of_small_groups()) cases.push_back(std::move(windows));
  OpCase special = conv("nan_and_infinity", {1, 2, 6, 6}, {4, 2, 2, 2}, {.activation = relu6});
  special.inputs[0].specials = {__builtin_nanl(""), __builtin_infl(), -__builtin_infl()};
  cases.push_back(special);
  OpCase tiles = tiled("winograd_nan_and_infinity", {1, 16, 14, 14}, {32, 16, 3, 3},
                       {.begin = {1, 1}, .end = {1, 1}, .activation = relu6});
  tiles.inputs[0].specials = special.inputs[0].specials;
  cases.push_back(tiles);
  cases.push_back(with_residual(tiles));
  // A tile by the plain sums before others, which share transformed weights.
  OpCase sharing = tiled("winograd_nan_among_tiles", {1, 16, 26, 27}, {20, 16, 3, 3}, same);
  sharing.inputs[0].specials.assign(2000, 0.5L);
  sharing.inputs[0].specials[0] = __builtin_nanl("");
  cases.push_back(sharing);
  return cases;
}

std::vector<Numbers> conv_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<ConvAttributes>(c);
  const Numbers& x = inputs[0];
  const Numbers& w = inputs[1];
  Numbers y = blank_output(c, 0);
  const uint32_t outputs_per_group = w.dims[0] / a.groups;
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Index at_y = index_of(y.dims, p);
    const uint32_t o = at_y[1];
    Number sum = inputs.size() > 2 && !c.inputs[2].absent ? inputs[2].values[o] : 0;
    for (uint32_t i = 0; i < w.dims[1]; ++i) {
      const uint32_t channel = o / outputs_per_group * w.dims[1] + i;
      for (uint32_t kh = 0; kh < w.dims[2]; ++kh) {
        const int64_t h =
            int64_t{at_y[2]} * a.stride[0] + int64_t{kh} * a.dilation[0] - int64_t{a.pad_begin[0]};
        if (h < 0 || h >= x.dims[2]) continue;
        for (uint32_t kw = 0; kw < w.dims[3]; ++kw) {
          const int64_t v = int64_t{at_y[3]} * a.stride[1] + int64_t{kw} * a.dilation[1] -
                            int64_t{a.pad_begin[1]};
          if (v < 0 || v >= x.dims[3]) continue;
          sum += at(x, {at_y[0], channel, static_cast<uint32_t>(h), static_cast<uint32_t>(v)}) *
                 at(w, {o, i, kh, kw});
        }
      }
    }
    if (inputs.size() > kResidualInput) sum += at(inputs[kResidualInput], at_y);
    y.values[p] = activated(a.activation, sum);
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
