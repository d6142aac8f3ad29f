// Cases of quantized_conv_add: pairs of types, zero points, rules of rounding of both parts,
// channels that fill no word, groups, windows inside and outside, residuals of other layouts.
#include <iterator>
#include <utility>

#include "tests/ops/cases.h"
#include "tests/ops/convolutions.h"
#include "tests/ops/oracle.h"
#include "tests/ops/quantized.h"
#include "tests/ops/quantized_cases.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;
using Windows = Geometry<2>;

constexpr uint32_t kEndsInput = 2;
constexpr QuantizedTypes kUnsignedX = {DType::kUint8, DType::kInt8, DType::kInt8};
constexpr QuantizedTypes kUnsignedY = {DType::kInt8, DType::kInt8, DType::kUint8};

void set_sum(QuantizedAddAttributes& sum, DType type, Rounding rounding) {
  sum = {};
  sum.zero_points[0] = zero_point_of(type);
  sum.zero_points[1] = type == DType::kUint8 ? 7 : -3;
  sum.output = whole_range(rounding, type, type == DType::kUint8 ? 30 : 2);
  if (rounding == Rounding::kHalfEven || rounding == Rounding::kFloat32) {
    sum.multipliers[0] = 0x3fffff;
    sum.multipliers[1] = 0x155555;
    sum.shifts[2] = 22;
    return;
  }
  sum.left_shift = 20;
  sum.multipliers[0] = 1 << 30;
  sum.multipliers[1] = 0x59999999;
  sum.shifts[1] = -2;
  sum.multipliers[2] = 0x7ac1d2e3;
  sum.shifts[2] = -19;
}

// x [N, C, H, W] and w [O, I, KH, KW], all channels last.
OpCase conv_add(const char* name, const QuantizedTypes& types, const Dims& x, const Dims& w,
                const Windows& g = {}) {
  OpCase c;
  c.name = name;
  QuantizedConvAddAttributes a = {};
  set_windows(a.conv, g);
  a.conv.output = output_of(types.y);
  set_sum(a.sum, types.y, Rounding::kTfliteDouble);
  c.attributes = words(a);
  const Dims y = conv_dims(x, w, g);
  c.inputs = {channels_last(whole_range(tensor(x, types.x))),
              channels_last(whole_range(tensor(w, types.w))),
              channel_ends(w[0], uint64_t{w[1]} * w[2] * w[3]),
              channels_last(whole_range(tensor(y, types.y)))};
  c.outputs = {channels_last(tensor(y, types.y))};
  return c;
}

OpCase with_zero_points(OpCase c) {
  return with<QuantizedConvAddAttributes>(c, "zero_points", [&](QuantizedConvAddAttributes& a) {
    a.conv.x_zero_point = a.conv.outside = c.inputs[0].dtype == DType::kUint8 ? 131 : -9;
    a.conv.w_zero_point = c.inputs[1].dtype == DType::kUint8 ? 126 : 3;
  });
}
// A planner folds x's zero point into the biases.
OpCase with_outside(OpCase c) {
  return with<QuantizedConvAddAttributes>(
      std::move(c), "outside", [](QuantizedConvAddAttributes& a) { a.conv.outside = 17; });
}
OpCase rounded(OpCase c, const char* name, Rounding conv, Rounding sum) {
  const DType type = c.outputs[0].dtype;
  return with<QuantizedConvAddAttributes>(std::move(c), name, [&](QuantizedConvAddAttributes& a) {
    a.conv.output.rounding = conv;
    set_sum(a.sum, type, sum);
  });
}
OpCase single(OpCase c) {
  return rounded(std::move(c), "single", Rounding::kTfliteSingle, Rounding::kTfliteSingle);
}
OpCase half_even(OpCase c) {
  return rounded(std::move(c), "half_even", Rounding::kHalfEven, Rounding::kHalfEven);
}
OpCase in_float32(OpCase c) {
  return rounded(std::move(c), "float32", Rounding::kFloat32, Rounding::kFloat32);
}
OpCase two_roundings(OpCase c) {
  return rounded(std::move(c), "two_roundings", Rounding::kHalfEven, Rounding::kTfliteDouble);
}
OpCase subtracting(OpCase c) {
  return with<QuantizedConvAddAttributes>(
      std::move(c), "subtract",
      [](QuantizedConvAddAttributes& a) { a.sum.kind = SumKind::kDifference; });
}
OpCase squared(OpCase c) {
  return with<QuantizedConvAddAttributes>(std::move(c), "square",
                                          [](QuantizedConvAddAttributes& a) {
                                            a.sum.kind = SumKind::kSquare;
                                            a.sum.left_shift = 4;
                                            a.sum.shifts[2] = -6;
                                          });
}
// Each part has limits of its own.
OpCase with_limits(OpCase c) {
  return with<QuantizedConvAddAttributes>(std::move(c), "limited",
                                          [](QuantizedConvAddAttributes& a) {
                                            a.conv.output.low += 40;
                                            a.conv.output.high -= 50;
                                            a.sum.output.low += 30;
                                            a.sum.output.high -= 20;
                                          });
}
// Factors and shifts for which sums saturate.
OpCase saturating(OpCase c) {
  return with<QuantizedConvAddAttributes>(std::move(c), "saturates",
                                          [](QuantizedConvAddAttributes& a) {
                                            a.sum.left_shift = 31;
                                            a.sum.shifts[0] = 3;
                                            a.sum.shifts[2] = -24;
                                          });
}
OpCase with_huge_ends(OpCase c) {
  c.name += "_huge_ends";
  const Number biases[] = {0x7fffffffL, -0x80000000L, 0x40000000L, 7, -0x3fffffffL};
  const Number shifts[] = {-1, -22, 3, 0, -31, -40, 1};
  std::vector<Number>& values = c.inputs[kEndsInput].values;
  const size_t outputs = values.size() / 3;
  for (size_t o = 0; o < outputs; o += 2) {
    values[o] = biases[o / 2 % std::size(biases)];
    values[2 * outputs + o] = shifts[o / 2 % std::size(shifts)];
  }
  return c;
}

OpCase all_in_planes(OpCase c) {
  c.name += "_in_planes";
  c.inputs[0].order.clear();
  c.inputs[kResidualInput].order.clear();
  c.outputs[0].order.clear();
  return c;
}
OpCase residual_in_planes(OpCase c) {
  c.name += "_residual_in_planes";
  c.inputs[kResidualInput].order.clear();
  return c;
}
OpCase ends_apart(OpCase c) {
  c.name += "_ends_apart";
  c.inputs[kEndsInput].order = {1, 0};
  return c;
}

}  // namespace

std::vector<OpCase> quantized_conv_add_cases() {
  const Windows same = {.begin = {1, 1}, .end = {1, 1}};
  const Windows halved = {.stride = {2, 2}, .begin = {1, 1}, .end = {1, 1}};
  const std::vector<Variant> all = {
      with_zero_points, with_outside,  single,     half_even,         in_float32,
      two_roundings,    subtracting,   squared,    with_limits,       saturating,
      with_huge_ends,   all_in_planes, ends_apart, residual_in_planes};
  return expanded({
      {conv_add("points", kBytes, {1, 16, 5, 7}, {12, 16, 1, 1}), all},
      {conv_add("windows", kUnsigned, {2, 8, 6, 5}, {8, 8, 3, 3}, same),
       {with_zero_points, with_outside, half_even, in_float32, with_limits, with_huge_ends,
        residual_in_planes}},
      {conv_add("unsigned_x", kUnsignedX, {1, 12, 7, 8}, {20, 12, 3, 3}, halved),
       {with_zero_points, half_even, subtracting}},
      {conv_add("unsigned_y", kUnsignedY, {1, 32, 3, 5}, {8, 32, 1, 1}),
       {with_zero_points, half_even, saturating}},
      {conv_add("uneven_channels", kBytes, {2, 7, 5, 6}, {13, 7, 1, 1}),
       {with_zero_points, in_float32, all_in_planes, with_huge_ends}},
      {conv_add("uneven_outputs", kUnsigned, {1, 16, 4, 9}, {10, 16, 1, 1}),
       {with_zero_points, ends_apart, residual_in_planes}},
      {conv_add("groups", kBytes, {1, 16, 5, 6}, {8, 8, 3, 3},
                {.begin = {1, 1}, .end = {1, 1}, .groups = 2}),
       {with_zero_points, all_in_planes}},
      {conv_add("uneven_groups", kBytes, {1, 9, 5, 6}, {15, 3, 3, 3},
                {.begin = {1, 1}, .end = {1, 1}, .groups = 3}),
       {with_zero_points}},
      {conv_add("depthwise", kBytes, {1, 12, 6, 7}, {12, 1, 3, 3},
                {.begin = {1, 1}, .end = {1, 1}, .groups = 12}),
       {with_zero_points, with_outside}},
      {conv_add("dilated", kBytes, {1, 8, 12, 11}, {8, 8, 2, 4},
                {.stride = {1, 3}, .dilation = {3, 2}, .begin = {2, 0}, .end = {1, 3}}),
       {with_outside}},
      conv_add("one_element", kBytes, {1, 1, 1, 1}, {1, 1, 1, 1}),
      conv_add("beyond_input", kBytes, {1, 4, 2, 3}, {8, 4, 2, 2},
               {.begin = {3, 3}, .end = {2, 3}}),
      // As the last blocks of a network for images have them: slices of the input channels.
      {conv_add("many_channels", kBytes, {1, 320, 7, 7}, {48, 320, 1, 1}),
       {with_zero_points, half_even}},
      {conv_add("many_words", kUnsigned, {1, 164, 7, 7}, {12, 164, 1, 1}), {with_zero_points}},
      {conv_add("large", kBytes, {1, 16, 42, 39}, {24, 16, 1, 1}), {with_zero_points, half_even}},
      conv_add("no_images", kBytes, {0, 4, 5, 5}, {8, 4, 1, 1}),
      conv_add("no_outputs", kBytes, {1, 4, 5, 5}, {0, 4, 1, 1}),
      conv_add("no_channels", kBytes, {1, 0, 5, 5}, {8, 0, 1, 1}),
  });
}

// What quantized_conv makes of the operands, and then quantized_add.
std::vector<Numbers> quantized_conv_add_oracle(const OpCase& c,
                                               const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<QuantizedConvAddAttributes>(c);
  OpCase sum = c;
  sum.attributes = words(a.sum);
  return quantized_add_oracle(
      sum, {conv_with_ends_oracle(c, a.conv, inputs)[0], inputs[kResidualInput]});
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
