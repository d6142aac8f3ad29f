// Cases of squeeze_excite: few and many channels, places and rows, channels that fill no vector,
// activations, layouts, types of weights, empty dims.
#include "tests/ops/cases.h"
#include "tests/ops/images.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

// x [N, C, H, W], `rows` between the two products.
OpCase make_case(const char* name, const Dims& x, uint32_t rows, const Activation& inner = {},
                 const Activation& gate = {}) {
  OpCase c;
  c.name = name;
  c.tolerance = 2e-5;
  c.attributes = words(SqueezeExciteAttributes{.inner_activation = inner, .gate_activation = gate});
  c.inputs = {channels_last(tensor(x)), tensor({2, rows, x[1]}), tensor({rows}), tensor({x[1]})};
  c.outputs = {channels_last(tensor(x))};
  return c;
}

// Channels of the weights are not side by side.
OpCase gates_apart(OpCase c) {
  c.name += "_weights_apart";
  c.inputs[1].order = {2, 0, 1};
  return c;
}

}  // namespace

std::vector<OpCase> squeeze_excite_cases() {
  const Activation relu = {ActivationKind::kClip, 0, __builtin_inff()};
  const Activation swish = {ActivationKind::kSwish, 1, 0};
  const Activation hard_swish = {ActivationKind::kHardSwish, 1.0f / 6, 0.5f};
  const Activation sigmoid = {ActivationKind::kSigmoid, 0, 0};
  const Activation hard_sigmoid = {ActivationKind::kHardSigmoid, 1.0f / 6, 0.5f};
  std::vector<OpCase> cases = expanded({
      {make_case("usual", {1, 24, 7, 7}, 6, relu, hard_sigmoid),
       {in_planes, planes_to_channels, gates_apart, with_margins, float16_weights,
        bfloat16_weights}},
      {make_case("images", {3, 16, 5, 6}, 4, swish, sigmoid),
       {in_planes, gates_apart, float16_weights}},
      {make_case("uneven", {2, 13, 6, 5}, 7, swish, sigmoid),
       {in_planes, planes_to_channels, gates_apart, bfloat16_weights}},
      {make_case("two_channels", {1, 2, 3, 3}, 1, relu, sigmoid), {in_planes, float16_weights}},
      make_case("no_activation", {1, 8, 4, 4}, 3),
      make_case("hard_swish_gate", {1, 20, 4, 9}, 5, hard_swish, hard_swish),
      {make_case("one_place", {2, 40, 1, 1}, 10, relu, hard_sigmoid), {in_planes}},
      {make_case("one_row_of_places", {1, 12, 1, 50}, 3, relu, sigmoid), {planes_to_channels}},
      // As networks for images have them, at their ends and their beginnings.
      {make_case("many_channels", {1, 480, 7, 7}, 20, swish, sigmoid), {float16_weights}},
      {make_case("many_rows", {1, 132, 5, 5}, 100, relu, hard_sigmoid), {float16_weights}},
      make_case("uneven_many_rows", {1, 63, 3, 4}, 129, relu, hard_sigmoid),
      make_case("most_rows", {1, 36, 2, 2}, kSqueezeRowsMax, relu, sigmoid),
      {make_case("many_places", {1, 16, 48, 50}, 4, swish, sigmoid), {in_planes}},
      make_case("uneven_many_places", {2, 6, 41, 37}, 3, swish, sigmoid),
      make_case("large", {4, 40, 29, 31}, 10, swish, sigmoid),
      make_case("no_images", {0, 8, 3, 3}, 2),
      make_case("no_channels", {1, 0, 3, 3}, 2),
      make_case("no_places", {1, 8, 0, 3}, 2),
      // The references alone.
      make_case("no_rows", {1, 8, 3, 3}, 0, relu, sigmoid),
  });
  OpCase special = make_case("nan_and_infinity", {1, 12, 3, 3}, 4, relu, hard_sigmoid);
  special.inputs[0].specials = {__builtin_nanl(""), __builtin_infl(), -__builtin_infl()};
  cases.push_back(special);
  return cases;
}

std::vector<Numbers> squeeze_excite_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<SqueezeExciteAttributes>(c);
  const Numbers& x = inputs[0];
  const Numbers& w = inputs[1];
  const uint32_t channels = x.dims[1], rows = w.dims[1];
  Numbers y = blank_output(c, 0);
  for (uint32_t n = 0; n < x.dims[0]; ++n) {
    std::vector<Number> means(channels, 0), hidden(rows);
    for (uint32_t i = 0; i < channels; ++i) {
      for (uint32_t h = 0; h < x.dims[2]; ++h) {
        for (uint32_t v = 0; v < x.dims[3]; ++v) means[i] += at(x, {n, i, h, v});
      }
      means[i] /= Number(x.dims[2]) * x.dims[3];
    }
    for (uint32_t r = 0; r < rows; ++r) {
      Number sum = inputs[2].values[r];
      for (uint32_t i = 0; i < channels; ++i) sum += at(w, {0, r, i}) * means[i];
      hidden[r] = activated(a.inner_activation, sum);
    }
    for (uint32_t i = 0; i < channels; ++i) {
      Number sum = inputs[3].values[i];
      for (uint32_t r = 0; r < rows; ++r) sum += at(w, {1, r, i}) * hidden[r];
      const Number gate = activated(a.gate_activation, sum);
      for (uint32_t h = 0; h < x.dims[2]; ++h) {
        for (uint32_t v = 0; v < x.dims[3]; ++v) {
          const Dims place = {n, i, h, v};
          y.values[position_of(y.dims, place)] = at(x, {n, i, h, v}) * gate;
        }
      }
    }
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
