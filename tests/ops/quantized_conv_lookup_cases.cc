// Cases of quantized_conv_lookup: pairs of types, zero points, rules of rounding, channels that
// fill no word, groups, windows inside and outside, tables of other strides.
#include <utility>

#include "tests/ops/cases.h"
#include "tests/ops/convolutions.h"
#include "tests/ops/images.h"
#include "tests/ops/numbers.h"
#include "tests/ops/oracle.h"
#include "tests/ops/quantized.h"
#include "tests/ops/quantized_cases.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;
using Windows = Geometry<2>;

constexpr uint32_t kEndsInput = 2, kTableInput = 3, kNumbers = 256;
constexpr QuantizedTypes kUnsignedX = {DType::kUint8, DType::kInt8, DType::kInt8};
constexpr QuantizedTypes kUnsignedY = {DType::kInt8, DType::kInt8, DType::kUint8};

// x [N, C, H, W] and w [O, I, KH, KW], all channels last.
OpCase conv_lookup(const char* name, const QuantizedTypes& types, const Dims& x, const Dims& w,
                   const Windows& g = {}) {
  OpCase c;
  c.name = name;
  QuantizedConvAttributes a = {};
  set_windows(a, g);
  a.output = output_of(types.y);
  c.attributes = words(a);
  c.inputs = {channels_last(whole_range(tensor(x, types.x))),
              channels_last(whole_range(tensor(w, types.w))),
              channel_ends(w[0], uint64_t{w[1]} * w[2] * w[3]),
              with_values(tensor({kNumbers}, types.y), shuffled_bytes(types.y, 91))};
  c.outputs = {channels_last(tensor(conv_dims(x, w, g), types.y))};
  return c;
}

OpCase with_zero_points(OpCase c) {
  return with<QuantizedConvAttributes>(c, "zero_points", [&](QuantizedConvAttributes& a) {
    a.x_zero_point = a.outside = c.inputs[0].dtype == DType::kUint8 ? 131 : -9;
    a.w_zero_point = c.inputs[1].dtype == DType::kUint8 ? 126 : 3;
  });
}
OpCase with_outside(OpCase c) {
  return with<QuantizedConvAttributes>(std::move(c), "outside",
                                       [](QuantizedConvAttributes& a) { a.outside = 17; });
}
OpCase half_even(OpCase c) {
  return with<QuantizedConvAttributes>(std::move(c), "half_even", [](QuantizedConvAttributes& a) {
    a.output.rounding = Rounding::kHalfEven;
  });
}
OpCase in_float32(OpCase c) {
  return with<QuantizedConvAttributes>(std::move(c), "float32", [](QuantizedConvAttributes& a) {
    a.output.rounding = Rounding::kFloat32;
  });
}
OpCase with_limits(OpCase c) {
  return with<QuantizedConvAttributes>(std::move(c), "limited", [](QuantizedConvAttributes& a) {
    a.output.low += 40;
    a.output.high -= 50;
  });
}
OpCase ends_apart(OpCase c) {
  c.name += "_ends_apart";
  c.inputs[kEndsInput].order = {1, 0};
  return c;
}

}  // namespace

std::vector<OpCase> quantized_conv_lookup_cases() {
  const Windows same = {.begin = {1, 1}, .end = {1, 1}};
  const std::vector<Variant> all = {with_zero_points, with_outside, half_even, in_float32,
                                    with_limits,      in_planes,    ends_apart};
  return expanded({
      {conv_lookup("points", kBytes, {1, 16, 5, 7}, {12, 16, 1, 1}), all},
      {conv_lookup("windows", kUnsigned, {2, 8, 6, 5}, {8, 8, 3, 3}, same),
       {with_zero_points, with_outside, with_limits}},
      {conv_lookup("unsigned_x", kUnsignedX, {1, 12, 7, 8}, {20, 12, 3, 3},
                   {.stride = {2, 2}, .begin = {1, 1}, .end = {1, 1}}),
       {with_zero_points}},
      {conv_lookup("unsigned_y", kUnsignedY, {1, 32, 3, 5}, {8, 32, 1, 1}),
       {with_zero_points, half_even}},
      // As the first layer of a network for images has it: rows of three channels.
      {conv_lookup("rows", kBytes, {2, 3, 13, 11}, {10, 3, 3, 3},
                   {.stride = {2, 2}, .begin = {1, 1}, .end = {1, 1}}),
       {with_zero_points, with_outside, in_planes}},
      {conv_lookup("uneven_channels", kUnsigned, {2, 7, 5, 6}, {13, 7, 1, 1}),
       {with_zero_points, in_float32}},
      {conv_lookup("groups", kBytes, {1, 16, 5, 6}, {8, 8, 3, 3},
                   {.begin = {1, 1}, .end = {1, 1}, .groups = 2}),
       {with_zero_points}},
      {conv_lookup("depthwise", kBytes, {1, 12, 6, 7}, {12, 1, 5, 5},
                   {.begin = {2, 2}, .end = {2, 2}, .groups = 12}),
       {with_zero_points, with_outside, in_planes}},
      {conv_lookup("dilated", kBytes, {1, 8, 12, 11}, {8, 8, 2, 4},
                   {.stride = {1, 3}, .dilation = {3, 2}, .begin = {2, 0}, .end = {1, 3}}),
       {with_outside}},
      conv_lookup("one_element", kBytes, {1, 1, 1, 1}, {1, 1, 1, 1}),
      conv_lookup("beyond_input", kBytes, {1, 4, 2, 3}, {8, 4, 2, 2},
                  {.begin = {3, 3}, .end = {2, 3}}),
      {conv_lookup("many_channels", kBytes, {1, 320, 7, 7}, {48, 320, 1, 1}), {with_zero_points}},
      conv_lookup("no_images", kBytes, {0, 4, 5, 5}, {8, 4, 1, 1}),
      conv_lookup("no_outputs", kBytes, {1, 4, 5, 5}, {0, 4, 1, 1}),
      conv_lookup("no_channels", kBytes, {1, 0, 5, 5}, {8, 0, 1, 1}),
  });
}

// Looks up the results of quantized_conv in the table.
std::vector<Numbers> quantized_conv_lookup_oracle(const OpCase& c,
                                                  const std::vector<Numbers>& inputs) {
  std::vector<Numbers> results =
      conv_with_ends_oracle(c, attributes_of<QuantizedConvAttributes>(c), inputs);
  const Number lowest = lowest_of(c.outputs[0].dtype);
  for (Number& number : results[0].values) {
    number = inputs[kTableInput].values[static_cast<size_t>(number - lowest)];
  }
  return results;
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
