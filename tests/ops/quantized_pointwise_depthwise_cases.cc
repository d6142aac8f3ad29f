// Cases of quantized_pointwise_depthwise: pairs of types, zero points, roundings, channels that
// fill no word, tiles of many sizes, windows inside and outside, layouts, empty dims.
#include <iterator>

#include "tests/ops/cases.h"
#include "tests/ops/convolutions.h"
#include "tests/ops/images.h"
#include "tests/ops/oracle.h"
#include "tests/ops/quantized.h"
#include "tests/ops/quantized_cases.h"
#include "tests/ops/requantized.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;
using Windows = Geometry<2>;

constexpr uint32_t kEndsInput = 2, kTapsInput = 3, kTapsEndsInput = 4, kTablesInput = 5;
constexpr QuantizedTypes kUnsignedX = {DType::kUint8, DType::kInt8, DType::kInt8};
constexpr QuantizedTypes kUnsignedW = {DType::kInt8, DType::kUint8, DType::kUint8};

// x [N, C, H, W], `outputs` channels, a window of `taps`.
OpCase make_case(const char* name, const QuantizedTypes& types, const Dims& x, uint32_t outputs,
                 const Dims& taps, const Windows& g = {}) {
  OpCase c;
  c.name = name;
  QuantizedPointwiseDepthwiseAttributes a = {};
  for (size_t d = 0; d < 2; ++d) {
    a.stride[d] = g.stride[d];
    a.dilation[d] = g.dilation[d];
    a.pad_begin[d] = g.begin[d];
  }
  a.inner = {Rounding::kTfliteDouble, -11, -128, 121};
  a.inner_zero_point = -11;
  a.output = output_of(types.y);
  c.attributes = words(a);
  c.inputs = {channels_last(whole_range(tensor(x, types.x))),
              whole_range(tensor({outputs, x[1], 1, 1}, types.w)), channel_ends(outputs, x[1]),
              whole_range(tensor({taps[0], taps[1], outputs}, types.w)),
              channel_ends(outputs, uint64_t{taps[0]} * taps[1])};
  c.outputs = {channels_last(tensor(conv_dims(x, {outputs, 1, taps[0], taps[1]}, g), types.y))};
  return c;
}

OpCase with_zero_points(OpCase c) {
  return with<QuantizedPointwiseDepthwiseAttributes>(
      c, "zero_points", [&](QuantizedPointwiseDepthwiseAttributes& a) {
        a.x_zero_point = c.inputs[0].dtype == DType::kUint8 ? 131 : -9;
        a.w_zero_point = c.inputs[1].dtype == DType::kUint8 ? 126 : 3;
        a.taps_zero_point = c.inputs[1].dtype == DType::kUint8 ? 129 : -2;
        a.inner_zero_point = 5;
      });
}
OpCase with_x_zero_point(OpCase c) {
  return with<QuantizedPointwiseDepthwiseAttributes>(
      c, "x_zero_point", [&](QuantizedPointwiseDepthwiseAttributes& a) {
        a.x_zero_point = c.inputs[0].dtype == DType::kUint8 ? 131 : -9;
      });
}
OpCase unsigned_inner(OpCase c) {
  return with<QuantizedPointwiseDepthwiseAttributes>(std::move(c), "unsigned_inner",
                                                     [](QuantizedPointwiseDepthwiseAttributes& a) {
                                                       a.inner = {a.inner.rounding, 128, 3, 255};
                                                       a.inner_zero_point = 128;
                                                     });
}
OpCase rounded(OpCase c, const char* name, Rounding inner, Rounding output) {
  return with<QuantizedPointwiseDepthwiseAttributes>(std::move(c), name,
                                                     [&](QuantizedPointwiseDepthwiseAttributes& a) {
                                                       a.inner.rounding = inner;
                                                       a.output.rounding = output;
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
// Biases that make sums wrap or saturate, and shifts for which there is no short formula.
OpCase with_huge_ends(OpCase c) {
  c.name += "_huge_ends";
  const Number biases[] = {0x7fffffffL, -0x80000000L, 0x40000000L, 7, -0x3fffffffL};
  const Number shifts[] = {-1, -22, 3, 0, -31, -40, 1};
  for (const uint32_t input : {kEndsInput, kTapsEndsInput}) {
    std::vector<Number>& values = c.inputs[input].values;
    const size_t outputs = values.size() / 3;
    for (size_t o = 0; o < outputs; o += 2) {
      values[o] = biases[o / 2 % std::size(biases)];
      values[2 * outputs + o] = shifts[o / 2 % std::size(shifts)];
    }
  }
  return c;
}

// Channels of the taps, and the ends of a channel, are not side by side.
OpCase taps_apart(OpCase c) {
  c.name += "_taps_apart";
  c.inputs[kTapsInput].order = {2, 0, 1};
  c.inputs[kEndsInput].order = {1, 0};
  c.inputs[kTapsEndsInput].order = {1, 0};
  return c;
}
OpCase weights_apart(OpCase c) {
  c.name += "_weights_apart";
  c.inputs[1].order = {1, 0, 2, 3};
  return c;
}
// Tables of what the results of both become.
OpCase with_tables(OpCase c) {
  const DType type = c.outputs[0].dtype;
  c = with_input(std::move(c), "tables", kTablesInput, shuffled_tables(type));
  auto a = attributes_of<QuantizedPointwiseDepthwiseAttributes>(c);
  a.inner.zero_point = a.inner_zero_point = zero_point_of(type);
  a.inner.low = static_cast<int32_t>(lowest_of(type)) + 3;
  a.inner.high = static_cast<int32_t>(highest_of(type)) - 2;
  c.attributes = words(a);
  return c;
}
OpCase with_tables_apart(OpCase c) {
  c = with_tables(std::move(c));
  c.name += "_apart";
  c.inputs[kTablesInput].order = {1, 0};
  return c;
}
OpCase larger(OpCase c) { return larger_output(std::move(c), 3, 2); }

}  // namespace

std::vector<OpCase> quantized_pointwise_depthwise_cases() {
  const Windows same = {.begin = {1, 1}, .end = {1, 1}};
  const Windows halved = {.stride = {2, 2}, .begin = {1, 1}, .end = {1, 1}};
  const std::vector<Variant> all = {
      with_zero_points, with_x_zero_point, unsigned_inner, single,     half_even,     in_float32,
      two_roundings,    with_huge_ends,    in_planes,      taps_apart, weights_apart, larger,
      with_tables,      with_tables_apart};
  return expanded({
      {make_case("threes", kBytes, {1, 8, 9, 7}, 16, {3, 3}, same), all},
      {make_case("vectors", kBytes, {2, 48, 5, 6}, 20, {3, 3}, same),
       {with_zero_points, with_x_zero_point, half_even, with_huge_ends, weights_apart}},
      {make_case("unsigned", kUnsigned, {1, 32, 6, 7}, 12, {3, 3}, same),
       {with_zero_points, unsigned_inner, in_float32, in_planes, with_tables}},
      {make_case("unsigned_x", kUnsignedX, {1, 12, 7, 8}, 8, {3, 3}, halved),
       {with_zero_points, with_x_zero_point, half_even, with_tables}},
      {make_case("unsigned_w", kUnsignedW, {1, 16, 7, 8}, 8, {3, 3}, halved),
       {with_zero_points, single}},
      {make_case("uneven_channels", kBytes, {2, 7, 6, 9}, 13, {3, 3}, same),
       {with_zero_points, in_float32, in_planes, taps_apart, with_tables_apart}},
      {make_case("uneven_outputs", kUnsigned, {1, 16, 6, 9}, 10, {3, 3}, same),
       {with_zero_points, with_huge_ends, taps_apart}},
      {make_case("fives", kBytes, {1, 24, 14, 14}, 20, {5, 5}, {.begin = {2, 2}, .end = {2, 2}}),
       {with_zero_points, half_even}},
      {make_case("fives_halved", kUnsignedX, {1, 16, 15, 13}, 24, {5, 5},
                 {.stride = {2, 2}, .begin = {2, 1}, .end = {2, 2}}),
       {with_zero_points}},
      {make_case("uneven_window", kBytes, {1, 8, 12, 11}, 8, {2, 4},
                 {.stride = {1, 3}, .dilation = {3, 2}, .begin = {2, 0}, .end = {1, 3}}),
       {with_zero_points, in_planes}},
      make_case("one_tap", kBytes, {1, 4, 3, 5}, 4, {1, 1}),
      {make_case("one_place", kBytes, {3, 20, 1, 1}, 40, {3, 3}, same), {with_zero_points}},
      {make_case("one_channel", kBytes, {1, 1, 5, 4}, 1, {3, 3}, same), {with_zero_points}},
      {make_case("without_padding", kUnsigned, {1, 16, 8, 20}, 8, {3, 3}), {larger}},
      make_case("windows_outside", kBytes, {1, 4, 2, 3}, 8, {2, 2},
                {.begin = {3, 3}, .end = {2, 3}}),
      make_case("sixty_four_taps", kBytes, {1, 4, 10, 9}, 8, {8, 8},
                {.begin = {4, 4}, .end = {3, 3}}),
      // The reference alone.
      make_case("more_taps", kBytes, {1, 4, 10, 10}, 4, {9, 8}, {.begin = {4, 4}, .end = {4, 4}}),
      // As the last blocks of a network for images have them: slices of the input channels.
      {make_case("many_channels", kBytes, {1, 160, 7, 7}, 48, {3, 3}, same),
       {with_zero_points, with_tables}},
      {make_case("many_words", kUnsigned, {1, 164, 7, 7}, 12, {3, 3}, same), {with_zero_points}},
      {make_case("uneven_many_channels", kBytes, {1, 99, 7, 7}, 18, {3, 3}, same),
       {with_zero_points}},
      // Tiles by the hundred, as the first blocks have them.
      {make_case("large", kBytes, {1, 8, 42, 39}, 24, {3, 3}, same), {with_zero_points}},
      make_case("large_halved", kUnsigned, {1, 16, 57, 64}, 12, {3, 3}, halved),
      make_case("no_images", kBytes, {0, 4, 5, 5}, 8, {3, 3}),
      make_case("no_outputs", kBytes, {1, 4, 5, 5}, 0, {3, 3}),
      make_case("no_channels", kBytes, {1, 0, 5, 5}, 8, {3, 3}, same),
      make_case("no_rows", kBytes, {1, 4, 0, 5}, 8, {2, 2}, {.begin = {1, 1}, .end = {2, 1}}),
      make_case("no_taps", kBytes, {1, 4, 3, 5}, 8, {0, 2}),
  });
}

std::vector<Numbers> quantized_pointwise_depthwise_oracle(const OpCase& c,
                                                          const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<QuantizedPointwiseDepthwiseAttributes>(c);
  const Numbers& x = inputs[0];
  const Numbers& w = inputs[1];
  const Numbers& taps = inputs[kTapsInput];
  const auto result = [](const Numbers& ends, uint32_t o, Number sum,
                         const Requantization& output) {
    return finished_product({.sum = wrapped(DType::kInt32, sum + at(ends, {0, o})),
                             .multiplier = at(ends, {1, o}),
                             .shift = at(ends, {2, o})},
                            output);
  };
  const auto final_result = [&](uint32_t table, Number number) {
    if (inputs.size() <= kTablesInput) return number;
    const Number lowest = lowest_of(c.outputs[0].dtype);
    return at(inputs[kTablesInput], {table, static_cast<uint32_t>(number - lowest)});
  };
  const auto pointwise = [&](uint32_t n, uint32_t o, int64_t h, int64_t v) {
    Number sum = 0;
    for (uint32_t i = 0; i < x.dims[1]; ++i) {
      sum += (at(x, {n, i, static_cast<uint32_t>(h), static_cast<uint32_t>(v)}) - a.x_zero_point) *
             (at(w, {o, i, 0, 0}) - a.w_zero_point);
    }
    return final_result(0, result(inputs[kEndsInput], o, sum, a.inner));
  };
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Index at_y = index_of(y.dims, p);
    const uint32_t o = at_y[1];
    Number sum = 0;
    const Index window = {taps.dims[0], taps.dims[1]};
    for (uint64_t t = 0; t < count_of(window); ++t) {
      const Index tap = index_of(window, t);
      const int64_t h = int64_t{at_y[2]} * a.stride[0] + int64_t{tap[0]} * a.dilation[0] -
                        int64_t{a.pad_begin[0]};
      const int64_t v = int64_t{at_y[3]} * a.stride[1] + int64_t{tap[1]} * a.dilation[1] -
                        int64_t{a.pad_begin[1]};
      if (h < 0 || v < 0 || h >= x.dims[2] || v >= x.dims[3]) continue;
      sum += (pointwise(at_y[0], o, h, v) - a.inner_zero_point) *
             (at(taps, {tap[0], tap[1], o}) - a.taps_zero_point);
    }
    y.values[p] = final_result(1, result(inputs[kTapsEndsInput], o, sum, a.output));
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
