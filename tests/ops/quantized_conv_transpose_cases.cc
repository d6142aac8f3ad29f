// Cases of quantized_conv_transpose: types, zero points, groups, strides, dilation, one to three
// dims.
#include "tests/ops/cases.h"
#include "tests/ops/convolutions.h"
#include "tests/ops/oracle.h"
#include "tests/ops/quantized.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

constexpr QuantizedTypes kMixed = {DType::kUint8, DType::kInt8, DType::kInt16};
constexpr QuantizedTypes kInt16s = {DType::kInt16, DType::kInt8, DType::kInt16};
constexpr QuantizedTypes kUnsignedX = {DType::kUint8, DType::kInt8, DType::kInt8};
constexpr QuantizedTypes kUnsignedY = {DType::kInt8, DType::kInt8, DType::kUint8};
constexpr QuantizedTypes kUnsignedBoth = {DType::kUint8, DType::kInt8, DType::kUint8};

using Volumes = Geometry<3>;

// x [N, C, D, H, W] and w [O, I, KD, KH, KW] channels last, zero points of the attributes.
OpCase conv(std::string name, const QuantizedTypes& types, const Dims& x, const Dims& w,
            const Volumes& g) {
  OpCase c;
  c.name = std::move(name);
  QuantizedConvTransposeAttributes a = {};
  set_windows(a, g);
  a.x_zero_point = types.x == DType::kUint8 ? 131 : -9;
  a.w_zero_point = types.w == DType::kUint8 ? 126 : 0;
  a.output = output_of(types.y);
  uint64_t count = w[1];
  for (uint32_t d = 0; d < 3; ++d) count *= w[2 + d] / g.stride[d] + 1;
  c.attributes = words(a);
  c.inputs = {channels_last(whole_range(tensor(x, types.x))),
              channels_last(whole_range(tensor(w, types.w)))};
  add_ends(c, types, {w[0]}, count);
  c.outputs = {channels_last(tensor(conv_transpose_dims(x, w, g), types.y))};
  return c;
}

OpCase no_zero_point(OpCase c) {
  return with<QuantizedConvTransposeAttributes>(
      c, "no_zero_point", [](QuantizedConvTransposeAttributes& a) { a.x_zero_point = 0; });
}
OpCase zero_point_of_weights(OpCase c) {
  return with<QuantizedConvTransposeAttributes>(
      c, "w_zero_point", [](QuantizedConvTransposeAttributes& a) { a.w_zero_point = -3; });
}
OpCase all_results(OpCase c) {
  return with<QuantizedConvTransposeAttributes>(
      c, "all_results", [&](QuantizedConvTransposeAttributes& a) {
        a.output.low = static_cast<int32_t>(lowest_of(c.outputs[0].dtype));
        a.output.high = static_cast<int32_t>(highest_of(c.outputs[0].dtype));
      });
}
// Sums at and beyond the ends of what simple formulas hold for, divided by little and by much.
OpCase huge_biases(OpCase c) {
  c.name += "_huge_biases";
  c.inputs[kBiasInput].specials = {0x7fffffffL,  -0x80000000L, 0x40000000L,
                                   -0x40000000L, 0x3f000000L,  0x3fffffffL};
  c.inputs[kShiftsInput].specials = {-1, -2, -22, -23, -31, -32, -40, 0, 1};
  return c;
}
OpCase divided_biases(OpCase c) {
  c = huge_biases(std::move(c));
  c.name += "_divided";
  c.inputs[kShiftsInput].specials = {-1, -2, -22, -23, -30, -31, 0};
  return c;
}
OpCase one_for_all(OpCase c) {
  c.name += "_one_for_all";
  c.inputs[kMultipliersInput].dims = c.inputs[kShiftsInput].dims = {1};
  c.inputs[kShiftsInput].high = c.inputs[kShiftsInput].low;
  return c;
}
OpCase half_even(OpCase c) {
  return with_rounding<QuantizedConvTransposeAttributes>(c, "half_even", Rounding::kHalfEven);
}
OpCase single(OpCase c) {
  return with_rounding<QuantizedConvTransposeAttributes>(c, "single", Rounding::kTfliteSingle);
}
OpCase in_float32(OpCase c) {
  return with_rounding<QuantizedConvTransposeAttributes>(c, "float32", Rounding::kFloat32);
}
OpCase no_bias(OpCase c) { return with_input(c, "no_bias", kBiasInput, absent()); }
OpCase planes(OpCase c) {
  c.name += "_planes";
  c.inputs[0].order = c.outputs[0].order = {};
  return c;
}

// Activations of 16 bits: each kind of sums and of results.
std::vector<CaseRow> grown_of_16_bits() {
  const auto grows = [](const char* name, const Dims& x, const Dims& w, const Volumes& windows) {
    OpCase c = no_zero_point(conv(name, kInt16s, x, w, windows));
    c.name = std::string("int16_") + name;
    return c;
  };
  const Volumes by_two = {.stride = {1, 2, 2}, .begin = {0, 1, 1}, .end = {0, 1, 1}};
  std::vector<CaseRow> rows = {
      {grows("by_two", {1, 8, 1, 3, 9}, {6, 8, 1, 4, 4}, by_two),
       {all_results, huge_biases, divided_biases, one_for_all, wrapping_ends, wrapping_any,
        half_even, single, in_float32, no_bias, planes, zero_point_of_weights}},
      {grows("by_two_of_odd", {2, 7, 1, 4, 5}, {9, 7, 1, 3, 3},
             {.stride = {1, 2, 2}, .end = {0, 0, 1}}),
       {divided_biases, wrapping_ends, planes}},
      grows("dilated", {1, 6, 1, 5, 6}, {5, 6, 1, 3, 3},
            {.stride = {1, 2, 2}, .dilation = {1, 3, 2}, .begin = {0, 2, 1}}),
      larger_output(grows("beyond", {1, 3, 1, 2, 2}, {4, 3, 1, 2, 2}, {}), 7, 13),
      {grows("line", {1, 12, 1, 1, 37}, {8, 12, 1, 1, 4},
             {.stride = {1, 1, 2}, .begin = {0, 0, 1}, .end = {0, 0, 1}}),
       {divided_biases, half_even}},
      {grows("volume_by_two", {2, 4, 3, 3, 4}, {6, 4, 2, 3, 3},
             {.stride = {2, 2, 2}, .begin = {0, 1, 1}}),
       {divided_biases}},
      {grows("groups_by_two", {1, 12, 1, 4, 5}, {9, 4, 1, 3, 3},
             {.stride = {1, 2, 2}, .begin = {0, 1, 1}, .groups = 3}),
       {divided_biases, wrapping_ends, planes}},
      {grows("groups_of_one_channel", {1, 5, 1, 3, 6}, {15, 1, 1, 2, 2},
             {.stride = {1, 2, 2}, .groups = 5}),
       {divided_biases}},
      // Sums of more products than 32 bits hold.
      {grows("deep", {1, 131, 1, 3, 4}, {5, 131, 1, 4, 4}, by_two), {divided_biases, huge_biases}},
      {grows("deeper", {1, 1003, 1, 2, 3}, {3, 1003, 1, 1, 1}, {}), {huge_biases}},
  };
  for (const uint32_t width : {1u, 2u, 3u, 4u, 7u, 8u}) {
    rows.push_back({grows(("wide" + std::to_string(width)).c_str(), {1, width + 2, 1, 2, width},
                          {width + 3, width + 2, 1, 2, 2}, {.stride = {1, 2, 2}}),
                    {divided_biases}});
  }
  return rows;
}

// An image or line that grows by a stride, as decoders have it: every number of places that is left
// of those computed at once, odd and even channels, taps that reach some outputs alone.
std::vector<CaseRow> grown() {
  const Volumes by_two = {.stride = {1, 2, 2}, .begin = {0, 1, 1}, .end = {0, 1, 1}};
  std::vector<CaseRow> rows = {
      {conv("by_two", kBytes, {1, 8, 1, 3, 9}, {6, 8, 1, 4, 4}, by_two),
       {no_zero_point, zero_point_of_weights, all_results, huge_biases, divided_biases, one_for_all,
        half_even, single, in_float32, no_bias, planes}},
      {conv("by_two_of_odd", kUnsignedX, {2, 7, 1, 4, 5}, {9, 7, 1, 3, 3},
            {.stride = {1, 2, 2}, .end = {0, 0, 1}}),
       {zero_point_of_weights, all_results, half_even, no_bias, planes}},
      {conv("by_two_and_three", kUnsignedY, {1, 5, 1, 3, 6}, {3, 5, 1, 2, 2},
            {.stride = {1, 2, 3}}),
       {all_results, single}},
      {conv("by_three_of_bytes", kUnsignedBoth, {1, 16, 1, 3, 4}, {53, 16, 1, 3, 5},
            {.stride = {1, 3, 3}, .begin = {0, 1, 2}}),
       {zero_point_of_weights, half_even, in_float32}},
      conv("dilated_by_two", kBytes, {1, 6, 1, 5, 6}, {5, 6, 1, 3, 3},
           {.stride = {1, 2, 2}, .dilation = {1, 3, 2}, .begin = {0, 2, 1}}),
      conv("dilated_by_more", kBytes, {1, 4, 1, 5, 9}, {4, 4, 1, 3, 4},
           {.stride = {1, 4, 4}, .dilation = {1, 2, 6}, .begin = {0, 1, 5}}),
      conv("cropped", kBytes, {1, 4, 1, 6, 11}, {5, 4, 1, 2, 3},
           {.stride = {1, 2, 2}, .begin = {0, 5, 9}, .end = {0, 2, 3}}),
      larger_output(conv("output_padding", kBytes, {1, 6, 1, 4, 5}, {6, 6, 1, 3, 3}, by_two), 1, 1),
      larger_output(conv("beyond", kBytes, {1, 3, 1, 2, 2}, {4, 3, 1, 2, 2}, {}), 7, 13),
      {conv("line", kBytes, {1, 12, 1, 1, 37}, {8, 12, 1, 1, 4},
            {.stride = {1, 1, 2}, .begin = {0, 0, 1}, .end = {0, 0, 1}}),
       {zero_point_of_weights, half_even}},
      conv("line_by_one", kBytes, {2, 5, 1, 1, 14}, {7, 5, 1, 1, 3}, {.begin = {0, 0, 1}}),
      conv("column", kUnsignedX, {1, 5, 1, 9, 1}, {7, 5, 1, 3, 1}, {.stride = {1, 2, 1}}),
      {conv("volume_by_two", kBytes, {2, 4, 3, 3, 4}, {6, 4, 2, 3, 3},
            {.stride = {2, 2, 2}, .begin = {0, 1, 1}}),
       {zero_point_of_weights, half_even}},
      {conv("groups_by_two", kBytes, {1, 12, 1, 4, 5}, {9, 4, 1, 3, 3},
            {.stride = {1, 2, 2}, .begin = {0, 1, 1}, .groups = 3}),
       {zero_point_of_weights, all_results, half_even, planes}},
      conv("groups_of_one_channel", kUnsignedX, {1, 5, 1, 3, 6}, {15, 1, 1, 2, 2},
           {.stride = {1, 2, 2}, .groups = 5}),
      // Phases of one tap, whose pixels are neighbors, with outputs behind the last of them.
      larger_output(
          conv("taps_apart", kBytes, {1, 16, 1, 5, 11}, {18, 16, 1, 2, 2}, {.stride = {1, 2, 2}}),
          3, 1),
      conv("channels_of_32", kUnsignedX, {1, 32, 1, 8, 12}, {40, 32, 1, 4, 4}, by_two),
      conv("points", kBytes, {1, 24, 1, 3, 3}, {16, 24, 1, 1, 1}, {.stride = {1, 2, 2}}),
      conv("one_pixel", kBytes, {1, 40, 1, 1, 1}, {20, 40, 1, 3, 3}, {}),
  };
  for (const uint32_t width : {1u, 2u, 3u, 4u, 7u, 8u}) {
    rows.push_back({conv("wide" + std::to_string(width), kBytes, {1, width + 2, 1, 2, width},
                         {width + 3, width + 2, 1, 2, 2}, {.stride = {1, 2, 2}}),
                    {zero_point_of_weights}});
  }
  return rows;
}

OpCase with_run_time_zero_points(OpCase c) {
  const uint32_t outputs = c.inputs[1].dims[0];
  c = with_input(c, "x", kXZeroPointInput, whole_range(tensor({1}, c.inputs[0].dtype)));
  return with_input(c, "w", kWZeroPointsInput, whole_range(tensor({outputs}, c.inputs[1].dtype)));
}

}  // namespace

std::vector<OpCase> quantized_conv_transpose_cases() {
  const Volumes twice = {.stride = {1, 2, 2}, .begin = {0, 1, 1}};
  const OpCase square = conv("square3", kBytes, {2, 3, 1, 4, 5}, {17, 3, 1, 3, 3},
                             {.begin = {0, 1, 1}, .end = {0, 1, 1}});
  const OpCase depthwise =
      conv("depthwise", kUnsigned, {1, 19, 1, 4, 5}, {19, 1, 1, 4, 4},
           {.stride = {1, 2, 2}, .begin = {0, 1, 1}, .end = {0, 1, 1}, .groups = 19});
  std::vector<OpCase> cases = {
      with_run_time_zero_points(square),
      square,
      larger_output(square, 5, 9),
      with_rounding<QuantizedConvTransposeAttributes>(square, "half_even", Rounding::kHalfEven),
      as_sums(square),
      depthwise,
      as_sums(depthwise),
      conv("one_element", kBytes, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {}),
      conv("square2_stride2", kMixed, {1, 5, 1, 4, 5}, {18, 5, 1, 2, 2}, {.stride = {1, 2, 2}}),
      conv("stride_and_dilation", kUnsigned, {1, 2, 1, 4, 5}, {5, 2, 1, 3, 4},
           {.stride = {1, 4, 3}, .dilation = {1, 6, 2}, .begin = {0, 3, 1}, .end = {0, 2, 0}}),
      conv("one_dimensional", kInt16s, {2, 6, 1, 1, 9}, {10, 6, 1, 1, 4},
           {.stride = {1, 1, 3}, .begin = {0, 0, 2}, .end = {0, 0, 1}}),
      conv("volume", kBytes, {1, 3, 3, 2, 4}, {4, 3, 2, 3, 2},
           {.stride = {2, 1, 3}, .begin = {1, 0, 1}}),
      conv("groups_of_two", kInt16s, {1, 6, 1, 4, 3}, {9, 2, 1, 3, 3},
           {.stride = {1, 2, 1}, .begin = {0, 1, 1}, .groups = 3}),
      conv("large", kBytes, {1, 20, 1, 7, 6}, {17, 20, 1, 4, 4}, twice),
      packed(square),
      packed(square, {0, 1, 2, 3, 4}),
      packed(conv("depthwise_of_bytes", kBytes, {1, 19, 1, 4, 5}, {19, 1, 1, 4, 4},
                  {.stride = {1, 2, 2}, .begin = {0, 1, 1}, .groups = 19})),
      packed(conv("large", kBytes, {1, 20, 1, 7, 6}, {17, 20, 1, 4, 4}, twice)),
      packed(conv("groups_of_three", kInt16s, {1, 9, 1, 4, 3}, {9, 3, 1, 3, 3},
                  {.stride = {1, 2, 1}, .begin = {0, 1, 1}, .groups = 3})),
      conv("no_outputs", kBytes, {1, 4, 1, 5, 5}, {0, 4, 1, 3, 3}, {}),
      conv("no_channels", kBytes, {1, 0, 1, 5, 5}, {8, 0, 1, 3, 3}, {}),
      conv("no_rows", kBytes, {1, 4, 1, 0, 5}, {8, 4, 1, 3, 2}, {}),
  };
  for (OpCase& c : expanded(grown())) cases.push_back(std::move(c));
  for (OpCase& c : expanded(grown_of_16_bits())) cases.push_back(std::move(c));
  return cases;
}

// Follows the definition: each input adds to the outputs that its taps reach.
std::vector<Numbers> quantized_conv_transpose_oracle(const OpCase& c,
                                                     const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<QuantizedConvTransposeAttributes>(c);
  const Numbers& x = inputs[0];
  const Numbers& w = inputs[1];
  Numbers y = blank_output(c, 0);
  const Number x_zero = end_of(c, inputs, kXZeroPointInput, 0, a.x_zero_point);
  for_transposed_taps(a, x, w, y, [&](uint64_t from, uint64_t to, uint32_t o, uint64_t tap) {
    const Number w_zero = end_of(c, inputs, kWZeroPointsInput, o, a.w_zero_point);
    y.values[to] += (x.values[from] - x_zero) * (w.values[tap] - w_zero);
  });
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    y.values[p] = quantized_result(c, inputs, index_of(y.dims, p)[1], y.values[p], a.output);
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
