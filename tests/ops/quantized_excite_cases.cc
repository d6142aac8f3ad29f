// Cases of quantized_excite: few and many channels, places and rows, channels that fill no word,
// pairs of types, rules of rounding, layouts, empty dims.
#include <utility>

#include "ops/quantized_excite.h"
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

constexpr uint32_t kNumbers = 256;

// All operands of bytes but the weights have x's type.
struct Types {
  DType x, w;
};
constexpr Types kSigned = {DType::kInt8, DType::kInt8};
constexpr Types kUnsignedX = {DType::kUint8, DType::kInt8};
constexpr Types kAllUnsigned = {DType::kUint8, DType::kUint8};

// x [N, C, H, W], `rows` between the two products.
OpCase excite(const char* name, const Types& types, const Dims& x, uint32_t rows) {
  OpCase c;
  c.name = name;
  QuantizedExciteAttributes a = {};
  a.means_zero_point = zero_point_of(types.x);
  a.hidden_zero_point = zero_point_of(types.x) + 5;
  a.hidden = a.gate = a.product.output = output_of(types.x);
  a.product.zero_points[0] = zero_point_of(types.x) - 3;
  a.product.zero_points[1] = static_cast<int32_t>(lowest_of(types.x));
  a.product.multiplier = 0x6b8f2d11;
  a.product.shift = -7;
  c.attributes = words(a);
  c.inputs = {channels_last(whole_range(tensor(x, types.x))),
              whole_range(tensor({x[0], x[1], 1, 1}, types.x)),
              whole_range(tensor({2, rows, x[1]}, types.w)),
              channel_ends(rows, x[1]),
              channel_ends(x[1], rows),
              shuffled_tables(types.x)};
  c.outputs = {channels_last(tensor(x, types.x))};
  return c;
}

OpCase with_w_zero_points(OpCase c) {
  return with<QuantizedExciteAttributes>(c, "w_zero_points", [&](QuantizedExciteAttributes& a) {
    const bool is_unsigned = c.inputs[kGateWeightsInput].dtype == DType::kUint8;
    a.w_zero_points[0] = is_unsigned ? 126 : 3;
    a.w_zero_points[1] = is_unsigned ? 131 : -9;
  });
}
OpCase without_zero_points(OpCase c) {
  return with<QuantizedExciteAttributes>(c, "no_zero_points", [&](QuantizedExciteAttributes& a) {
    a.means_zero_point = a.hidden_zero_point = 0;
    a.product.zero_points[0] = a.product.zero_points[1] = 0;
  });
}
OpCase half_even(OpCase c) {
  return with<QuantizedExciteAttributes>(
      std::move(c), "half_even", [](QuantizedExciteAttributes& a) {
        for (Requantization* output : {&a.hidden, &a.gate, &a.product.output}) {
          output->rounding = Rounding::kHalfEven;
        }
      });
}
// Three rules, and other limits.
OpCase mixed_rules(OpCase c) {
  return with<QuantizedExciteAttributes>(std::move(c), "mixed_rules",
                                         [](QuantizedExciteAttributes& a) {
                                           a.hidden.rounding = Rounding::kFloat32;
                                           a.hidden.low += 40;
                                           a.gate.rounding = Rounding::kTfliteSingle;
                                           a.gate.high -= 50;
                                           a.product.output.rounding = Rounding::kHalfEven;
                                           a.product.output.zero_point -= 20;
                                         });
}
// A product that needs all of the requantization.
OpCase grown(OpCase c) {
  return with<QuantizedExciteAttributes>(std::move(c), "grown",
                                         [](QuantizedExciteAttributes& a) { a.product.shift = 3; });
}
// Neighbors lie apart in all operands that are read once.
OpCase operands_apart(OpCase c) {
  c.name += "_operands_apart";
  c.inputs[kMeansInput].order = {1, 0, 2, 3};
  c.inputs[kGateWeightsInput].order = {2, 0, 1};
  for (const uint32_t i : {kHiddenEndsInput, kGateEndsInput, kTablesInput}) {
    c.inputs[i].order = {1, 0};
  }
  return c;
}
// Each number a table's element.
Numbers looked_up(Numbers numbers, const Numbers& tables, uint32_t table) {
  const Number lowest = lowest_of(numbers.dtype);
  for (Number& number : numbers.values) {
    number = tables.values[table * kNumbers + static_cast<size_t>(number - lowest)];
  }
  return numbers;
}

// The results that one product makes of one number a channel: what quantized_conv makes.
Numbers product_of(const Numbers& numbers, const Numbers& weights, const Numbers& ends,
                   const QuantizedConvAttributes& conv) {
  OpCase c;
  c.inputs = {tensor(numbers.dims, numbers.dtype), tensor(weights.dims, weights.dtype)};
  c.outputs = {tensor({numbers.dims[0], weights.dims[0], 1, 1}, numbers.dtype)};
  return conv_with_ends_oracle(c, conv, {numbers, weights, ends})[0];
}

}  // namespace

std::vector<OpCase> quantized_excite_cases() {
  return expanded({
      {excite("usual", kUnsignedX, {1, 24, 7, 7}, 8),
       {with_w_zero_points, without_zero_points, half_even, mixed_rules, grown, in_planes,
        planes_to_channels, operands_apart, with_margins}},
      {excite("vectors", kSigned, {3, 48, 5, 6}, 12),
       {with_w_zero_points, half_even, operands_apart}},
      {excite("unsigned", kAllUnsigned, {2, 16, 5, 4}, 4), {with_w_zero_points}},
      {excite("uneven", kUnsignedX, {2, 13, 6, 5}, 7),
       {with_w_zero_points, in_planes, planes_to_channels, operands_apart}},
      {excite("two_channels", kSigned, {1, 2, 3, 3}, 1), {in_planes}},
      excite("one_place", kUnsignedX, {2, 40, 1, 1}, 10),
      {excite("one_row_of_places", kSigned, {1, 12, 1, 50}, 3), {planes_to_channels}},
      // As networks for images have them, at their ends and their beginnings.
      {excite("many_channels", kUnsignedX, {1, 672, 7, 7}, 28), {with_w_zero_points}},
      {excite("many_rows", kSigned, {1, 132, 5, 5}, 100), {with_w_zero_points}},
      // A pass of its own for the first product.
      {excite("two_passes", kUnsignedX, {2, 480, 3, 5}, 120), {with_w_zero_points, mixed_rules}},
      {excite("uneven_two_passes", kSigned, {1, 333, 4, 3}, 131), {in_planes, operands_apart}},
      excite("uneven_many_rows", kUnsignedX, {1, 63, 3, 4}, 129),
      excite("most_rows", kSigned, {1, 36, 2, 2}, kSqueezeRowsMax),
      {excite("many_places", kUnsignedX, {1, 16, 48, 50}, 4), {in_planes}},
      excite("uneven_many_places", kSigned, {2, 6, 41, 37}, 3),
      excite("large", kUnsignedX, {4, 40, 29, 31}, 10),
      excite("no_images", kUnsignedX, {0, 8, 3, 3}, 2),
      excite("no_channels", kUnsignedX, {1, 0, 3, 3}, 2),
      excite("no_places", kUnsignedX, {1, 8, 0, 3}, 2),
      // The reference alone.
      excite("no_rows", kUnsignedX, {1, 8, 3, 3}, 0),
  });
}

std::vector<Numbers> quantized_excite_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<QuantizedExciteAttributes>(c);
  const Numbers& x = inputs[0];
  const Numbers& w = inputs[kGateWeightsInput];
  const Numbers& tables = inputs[kTablesInput];
  const uint32_t rows = w.dims[1], channels = w.dims[2];
  Numbers first = {w.dtype, {rows, channels, 1, 1}, {}};
  Numbers second = {w.dtype, {channels, rows, 1, 1}, {}};
  for (uint32_t r = 0; r < rows; ++r) {
    for (uint32_t i = 0; i < channels; ++i) first.values.push_back(at(w, {0, r, i}));
  }
  for (uint32_t i = 0; i < channels; ++i) {
    for (uint32_t r = 0; r < rows; ++r) second.values.push_back(at(w, {1, r, i}));
  }
  QuantizedConvAttributes conv = {};
  set_windows(conv, Geometry<2>{});
  conv.x_zero_point = a.means_zero_point;
  conv.w_zero_point = a.w_zero_points[0];
  conv.output = a.hidden;
  const Numbers hidden =
      looked_up(product_of(inputs[kMeansInput], first, inputs[kHiddenEndsInput], conv), tables, 0);
  conv.x_zero_point = a.hidden_zero_point;
  conv.w_zero_point = a.w_zero_points[1];
  conv.output = a.gate;
  const Numbers gates =
      looked_up(product_of(hidden, second, inputs[kGateEndsInput], conv), tables, 1);
  Numbers spread = x;
  const size_t places = size_t{x.dims[2]} * x.dims[3];
  for (size_t i = 0; i < spread.values.size(); ++i) spread.values[i] = gates.values[i / places];
  OpCase product = c;
  product.attributes = words(a.product);
  return quantized_mul_oracle(product, {x, spread});
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
