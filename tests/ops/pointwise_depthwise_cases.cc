// Cases of pointwise_depthwise: windows inside and outside, strides, dilation, channels that fill
// no vector, tiles of many sizes, activations, layouts, types of weights, empty dims.
#include "tests/ops/cases.h"
#include "tests/ops/convolutions.h"
#include "tests/ops/images.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;
using Windows = Geometry<2>;

constexpr uint32_t kTapsInput = 3;

// x [N, C, H, W], `outputs` channels, a window of `taps`.
OpCase make_case(const char* name, const Dims& x, uint32_t outputs, const Dims& taps,
                 const Windows& g = {}, const Activation& inner = {}) {
  OpCase c;
  c.name = name;
  c.tolerance = 2e-5;
  PointwiseDepthwiseAttributes attributes = {};
  for (size_t d = 0; d < 2; ++d) {
    attributes.stride[d] = g.stride[d];
    attributes.dilation[d] = g.dilation[d];
    attributes.pad_begin[d] = g.begin[d];
  }
  attributes.activation = g.activation;
  attributes.inner_activation = inner;
  c.attributes = words(attributes);
  c.inputs = {channels_last(tensor(x)), tensor({outputs, x[1], 1, 1}), tensor({outputs}),
              tensor({taps[0], taps[1], outputs}), tensor({outputs})};
  c.outputs = {channels_last(tensor(conv_dims(x, {outputs, 1, taps[0], taps[1]}, g)))};
  return c;
}

OpCase panels_in_planes(OpCase c) { return in_planes(in_panels(std::move(c))); }

// Channels of the taps are not side by side.
OpCase taps_apart(OpCase c) {
  c = in_panels(std::move(c));
  c.name += "_taps_apart";
  c.inputs[kTapsInput].order = {2, 0, 1};
  return c;
}

OpCase larger(OpCase c) { return larger_output(in_panels(std::move(c)), 3, 2); }

}  // namespace

std::vector<OpCase> pointwise_depthwise_cases() {
  const Windows same = {.begin = {1, 1}, .end = {1, 1}};
  const Activation relu6 = {ActivationKind::kClip, 0, 6};
  const Activation hard_swish = {ActivationKind::kHardSwish, 1.0f / 6, 0.5f};
  const Activation swish = {ActivationKind::kSwish, 1.25f, 0};
  const Activation sigmoid = {ActivationKind::kSigmoid, 0, 0};
  const Windows same6 = {.begin = {1, 1}, .end = {1, 1}, .activation = relu6};
  const Windows halved6 = {.stride = {2, 2}, .begin = {1, 1}, .end = {1, 1}, .activation = relu6};
  std::vector<OpCase> cases = expanded({
      {make_case("threes", {1, 8, 9, 7}, 16, {3, 3}, same6, relu6),
       {in_panels, panels_in_planes, taps_apart, larger, panels_of_float16, panels_of_bfloat16,
        float16_weights, bfloat16_weights, in_planes}},
      {make_case("threes_halved", {2, 12, 11, 14}, 36, {3, 3}, halved6, relu6),
       {in_panels, panels_of_float16, larger}},
      {make_case("uneven_channels", {2, 7, 6, 9}, 13, {3, 3}, same, relu6),
       {in_panels, panels_in_planes, taps_apart, panels_of_bfloat16}},
      {make_case("fives", {1, 24, 14, 14}, 20, {5, 5},
                 {.begin = {2, 2}, .end = {2, 2}, .activation = hard_swish}, hard_swish),
       {in_panels, panels_of_float16}},
      {make_case("fives_halved", {1, 16, 15, 13}, 24, {5, 5},
                 {.stride = {2, 2}, .begin = {2, 1}, .end = {2, 2}, .activation = swish}, swish),
       {in_panels}},
      {make_case("uneven_window", {1, 8, 12, 11}, 8, {2, 4},
                 {.stride = {1, 3}, .dilation = {3, 2}, .begin = {2, 0}, .end = {1, 3}}, sigmoid),
       {in_panels, in_planes}},
      {make_case("one_tap", {1, 4, 3, 5}, 4, {1, 1}), {in_panels}},
      {make_case("one_place", {3, 20, 1, 1}, 40, {3, 3}, same6, relu6), {in_panels}},
      {make_case("without_padding", {1, 16, 8, 20}, 8, {3, 3}, {}, relu6), {in_panels, larger}},
      {make_case("windows_outside", {1, 4, 2, 3}, 8, {2, 2}, {.begin = {3, 3}, .end = {2, 3}},
                 hard_swish),
       {in_panels}},
      {make_case("sixty_four_taps", {1, 4, 10, 9}, 8, {8, 8}, {.begin = {4, 4}, .end = {3, 3}}),
       {in_panels}},
      // The references alone.
      {make_case("more_taps", {1, 4, 10, 10}, 4, {9, 8}, {.begin = {4, 4}, .end = {4, 4}}),
       {in_panels}},
      // As the last blocks of a network for images have them: slices of the input channels.
      {make_case("many_channels", {1, 160, 7, 7}, 48, {3, 3}, same6, relu6),
       {in_panels, panels_of_float16}},
      {make_case("uneven_many_channels", {1, 99, 7, 7}, 18, {3, 3}, same6, relu6), {in_panels}},
      // Tiles by the hundred, as the first blocks have them.
      {make_case("large", {1, 8, 42, 39}, 24, {3, 3}, same6, relu6),
       {in_panels, panels_of_float16}},
      {make_case("large_halved", {1, 8, 57, 64}, 12, {3, 3}, halved6, relu6), {in_panels}},
      make_case("no_images", {0, 4, 5, 5}, 8, {3, 3}),
      {make_case("no_outputs", {1, 4, 5, 5}, 0, {3, 3}), {in_panels}},
      {make_case("no_channels", {1, 0, 5, 5}, 8, {3, 3}, same), {in_panels}},
      make_case("no_rows", {1, 4, 0, 5}, 8, {2, 2}, {.begin = {1, 1}, .end = {2, 1}}),
      make_case("no_taps", {1, 4, 3, 5}, 8, {0, 2}),
  });
  OpCase special = in_panels(make_case("nan_and_infinity", {1, 4, 6, 6}, 8, {2, 2}, {}, relu6));
  special.inputs[0].specials = {__builtin_nanl(""), __builtin_infl(), -__builtin_infl()};
  cases.push_back(special);
  return cases;
}

std::vector<Numbers> pointwise_depthwise_oracle(const OpCase& c,
                                                const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<PointwiseDepthwiseAttributes>(c);
  const Numbers& x = inputs[0];
  const Numbers& w = inputs[1];
  const Numbers& taps = inputs[kTapsInput];
  const auto pointwise = [&](uint32_t n, uint32_t o, int64_t h, int64_t v) {
    Number sum = inputs[2].values[o];
    for (uint32_t i = 0; i < x.dims[1]; ++i) {
      sum +=
          at(x, {n, i, static_cast<uint32_t>(h), static_cast<uint32_t>(v)}) * at(w, {o, i, 0, 0});
    }
    return activated(a.inner_activation, sum);
  };
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Index at_y = index_of(y.dims, p);
    const uint32_t o = at_y[1];
    Number sum = inputs[4].values[o];
    const Index window = {taps.dims[0], taps.dims[1]};
    for (uint64_t t = 0; t < count_of(window); ++t) {
      const Index tap = index_of(window, t);
      const int64_t h = int64_t{at_y[2]} * a.stride[0] + int64_t{tap[0]} * a.dilation[0] -
                        int64_t{a.pad_begin[0]};
      const int64_t v = int64_t{at_y[3]} * a.stride[1] + int64_t{tap[1]} * a.dilation[1] -
                        int64_t{a.pad_begin[1]};
      if (h < 0 || v < 0 || h >= x.dims[2] || v >= x.dims[3]) continue;
      sum += pointwise(at_y[0], o, h, v) * at(taps, {tap[0], tap[1], o});
    }
    y.values[p] = activated(a.activation, sum);
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
