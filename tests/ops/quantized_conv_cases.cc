// Cases of quantized_conv: every pair of types, zero points, roundings, what lies outside, groups,
// strides, dilation, sums that wrap.
#include "tests/ops/cases.h"
#include "tests/ops/convolutions.h"
#include "tests/ops/oracle.h"
#include "tests/ops/quantized.h"
#include "tests/ops/quantized_cases.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

constexpr QuantizedTypes kInt16s = {DType::kInt16, DType::kInt8, DType::kInt16};
constexpr QuantizedTypes kUnsignedX = {DType::kUint8, DType::kInt8, DType::kInt8};
constexpr QuantizedTypes kUnsignedXAndY = {DType::kUint8, DType::kInt8, DType::kUint8};
constexpr QuantizedTypes kUnsignedY = {DType::kInt8, DType::kInt8, DType::kUint8};

using Windows = Geometry<2>;

// x [N, C, H, W] and w [O, I, KH, KW] channels last, bias, multipliers and shifts for each output.
OpCase conv(std::string name, const QuantizedTypes& types, const Dims& x, const Dims& w,
            const Windows& g) {
  OpCase c;
  c.name = std::move(name);
  QuantizedConvAttributes a = {};
  set_windows(a, g);
  a.output = output_of(types.y);
  c.attributes = words(a);
  c.inputs = {channels_last(whole_range(tensor(x, types.x))),
              channels_last(whole_range(tensor(w, types.w)))};
  add_ends(c, types, {w[0]}, uint64_t{w[1]} * w[2] * w[3]);
  c.outputs = {channels_last(tensor(conv_dims(x, w, g), types.y))};
  return c;
}

OpCase with_zero_points(OpCase c) {
  const bool x_unsigned = c.inputs[0].dtype == DType::kUint8;
  const bool w_unsigned = c.inputs[1].dtype == DType::kUint8;
  return with<QuantizedConvAttributes>(c, "zero_points", [&](QuantizedConvAttributes& a) {
    a.x_zero_point = a.outside = x_unsigned ? 131 : -9;
    a.w_zero_point = w_unsigned ? 126 : 3;
  });
}

OpCase with_x_zero_point(OpCase c) {
  return with<QuantizedConvAttributes>(c, "x_zero_point", [&](QuantizedConvAttributes& a) {
    a.x_zero_point = a.outside = c.inputs[0].dtype == DType::kUint8 ? 131 : -9;
  });
}

OpCase with_all_results(OpCase c) {
  return with<QuantizedConvAttributes>(c, "all_results", [&](QuantizedConvAttributes& a) {
    a.output.low = static_cast<int32_t>(lowest_of(c.outputs[0].dtype));
    a.output.high = static_cast<int32_t>(highest_of(c.outputs[0].dtype));
  });
}

// Sums at and beyond the ends of what simple formulas hold for, divided by little and by much.
OpCase with_huge_biases(OpCase c) {
  c.name += "_huge_biases";
  c.inputs[kBiasInput].specials = {0x7fffffffL,  -0x80000000L, 0x40000000L,
                                   -0x40000000L, 0x3f000000L,  0x3fffffffL};
  c.inputs[kShiftsInput].specials = {-1, -2, -22, -23, -31, -32, -40, 0, 1};
  return c;
}

// Sets `outside` apart from x's zero point, as a planner does that folds it into the bias.
OpCase with_outside(OpCase c) {
  return with<QuantizedConvAttributes>(
      c, "outside", [&](QuantizedConvAttributes& a) { a.outside = a.x_zero_point + 17; });
}

OpCase with_run_time_x_zero_point(OpCase c) {
  return with_input(c, "x", kXZeroPointInput, whole_range(tensor({}, c.inputs[0].dtype)));
}
OpCase with_run_time_zero_points(OpCase c) {
  const uint32_t outputs = c.inputs[1].dims[0];
  c = with_run_time_x_zero_point(std::move(c));
  return with_input(c, "w", kWZeroPointsInput, whole_range(tensor({outputs}, c.inputs[1].dtype)));
}

OpCase with_single_ends(OpCase c) {
  c.name += "_one_for_all";
  c.inputs[kMultipliersInput].dims = c.inputs[kShiftsInput].dims = {1};
  c.inputs[kShiftsInput].high = c.inputs[kShiftsInput].low;
  return c;
}

// The same, each divided.
OpCase with_divided_biases(OpCase c) {
  c = with_huge_biases(std::move(c));
  c.name += "_divided";
  c.inputs[kShiftsInput].specials = {-1, -2, -22, -23, -30, -31, 0};
  return c;
}

// Four in five outputs have the same result for any x, as those have that training left without
// use.
OpCase with_constant_outputs(OpCase c) {
  c = with_all_results(std::move(c));
  c.name += "_constant_outputs";
  Operand& bias = c.inputs[kBiasInput];
  Operand& shifts = c.inputs[kShiftsInput];
  bias.low = 0x3fffff00;
  bias.high = 0x40000100;
  bias.specials = {0, 100, -7};
  shifts.low = -28;
  shifts.high = -25;
  shifts.specials = {-8, -9, -7};
  return c;
}

// Factors of up to 8 and such that saturate, as weights of few bits may have them.
OpCase with_large_factors(OpCase c) {
  c = with_all_results(std::move(c));
  c.name += "_large_factors";
  c.inputs[kBiasInput].specials = {0x7fffffffL, -0x80000000L, 1000, 0, -77, 0x2000000L, 5, -5};
  c.inputs[kShiftsInput].specials = {0, 1, 3, -5, -6, 2, 4, 31, -31};
  return c;
}

// Sums of few numbers by factors of 1/2 and more, some of which bring them to halves, beside lesser
// ones.
OpCase with_halves(OpCase c) {
  c.name += "_halves";
  const double centre = c.inputs[0].dtype == DType::kUint8 ? 131 : -9;
  c.inputs[0].low = centre - 20;
  c.inputs[0].high = centre + 20;
  c.inputs[1].low = -2;
  c.inputs[1].high = 2;
  c.inputs[kBiasInput].low = -60;
  c.inputs[kBiasInput].high = 60;
  c.inputs[kShiftsInput].low = -4;
  c.inputs[kShiftsInput].high = 1;
  c.inputs[kShiftsInput].specials = {-1, 0, -2, 1, -1, 5, 0, -6};
  c.inputs[kMultipliersInput].specials = {0x40000000L, 0x40000000L, 0x60000000L, 0x50000000L};
  return c;
}

// The same beside outputs that training left without use, whose factors are tiny.
OpCase with_halves_and_idle_outputs(OpCase c) {
  c = with_all_results(with_halves(std::move(c)));
  c.name += "_idle_outputs";
  c.inputs[kBiasInput].specials = {0x3fffff00L, 3, -0x3fffff00L, 5, 7};
  c.inputs[kShiftsInput].specials = {-36, -1, -40, 0, -2};
  return c;
}

OpCase x_zero_point_and_outside(OpCase c) { return with_outside(with_x_zero_point(std::move(c))); }
OpCase divided_biases_of_all(OpCase c) {
  return with_all_results(with_divided_biases(std::move(c)));
}
OpCase huge_biases_of_all(OpCase c) { return with_all_results(with_huge_biases(std::move(c))); }
OpCase zero_points_and_outside(OpCase c) { return with_outside(with_zero_points(std::move(c))); }
OpCase run_time_sums(OpCase c) { return as_sums(with_run_time_zero_points(std::move(c))); }
OpCase run_time_x_sums(OpCase c) { return as_sums(with_run_time_x_zero_point(std::move(c))); }
OpCase single_for_all(OpCase c) {
  return with_single_ends(
      with_rounding<QuantizedConvAttributes>(c, "single", Rounding::kTfliteSingle));
}
OpCase half_even(OpCase c) {
  return with_rounding<QuantizedConvAttributes>(c, "half_even", Rounding::kHalfEven);
}
// As where channels-last becomes what the model calls for: results may be written far ahead.
OpCase planes_of_results(OpCase c) {
  c.name += "_planes";
  c.outputs[0].order = {};
  return c;
}
OpCase planes_of_x(OpCase c) {
  c.name += "_planes_of_x";
  c.inputs[0].order = {};
  return c;
}
OpCase no_bias(OpCase c) { return with_input(c, "no_bias", kBiasInput, absent()); }

// Biases, multipliers and shifts at the ends of what 32 bits hold and of what is rounded to 16
// bits.
OpCase with_int16_ends(OpCase c) {
  c.name += "_ends";
  c.inputs[kBiasInput].specials = {0x7fffffffL, -0x80000000L, 0x40000000L, 0};
  c.inputs[kMultipliersInput].specials = {
      0x7fffffffL, 0x7fff0000L, 0x7ffeffffL, 0x7fff8000L, 0x40007fffL, 0x40008000L, 0};
  return c;
}
OpCase with_small_ends(OpCase c) {
  c = with_int16_ends(std::move(c));
  c.name += "_small";
  c.inputs[kBiasInput].specials = {1000000, -1000000, 0};
  c.inputs[kShiftsInput].specials = {-2, -3, -30, -31};
  return c;
}
OpCase with_wide_shifts(OpCase c) {
  c = with_int16_ends(std::move(c));
  c.name += "_wide_shifts";
  c.inputs[kShiftsInput].specials = {-1, 0, 3, -32, -45, -63};
  return c;
}
OpCase in_float32(OpCase c) {
  return with_rounding<QuantizedConvAttributes>(c, "float32", Rounding::kFloat32);
}

// Activations of 16 bits: each kind of sums and of results, places and columns that fill what is
// computed at once and such that leave some over.
std::vector<CaseRow> sixteen_bits() {
  const Windows same = {.begin = {1, 1}, .end = {1, 1}};
  const std::vector<Variant> all = {with_outside,     with_small_ends,  with_int16_ends,
                                    with_wide_shifts, wrapping_ends,    wrapping_any,
                                    single_for_all,   half_even,        in_float32,
                                    no_bias,          with_all_results, planes_of_results};
  std::vector<CaseRow> rows = {
      {conv("int16_square", kInt16s, {2, 5, 4, 7}, {9, 5, 3, 3}, same), all},
      {conv("int16_even", kInt16s, {1, 8, 5, 6}, {26, 8, 3, 2},
            {.stride = {2, 1}, .dilation = {1, 2}, .begin = {1, 2}, .end = {0, 1}}),
       all},
      {conv("int16_deep", kInt16s, {1, 83, 3, 5}, {6, 83, 2, 3}, {.begin = {1, 1}, .end = {0, 1}}),
       {with_outside, with_int16_ends, with_bias_of_32_bits, half_even, planes_of_results}},
      {conv("int16_deeper", kInt16s, {1, 1003, 1, 5}, {5, 1003, 1, 1}, {}), {with_int16_ends}},
      {conv("int16_line", kInt16s, {1, 1, 1, 49}, {8, 1, 1, 10},
            {.stride = {1, 2}, .begin = {0, 4}, .end = {0, 5}}),
       {with_outside, wrapping_ends}},
      {conv("int16_one_line_by_three", kInt16s, {1, 2, 1, 43}, {3, 2, 1, 1}, {.stride = {1, 3}}),
       {planes_of_results}},
  };
  const auto multiplied = [](const char* name, const Dims& x, const Dims& w, Windows windows,
                             uint32_t groups) {
    windows.groups = groups;
    return conv(name, kInt16s, x, w, windows);
  };
  rows.insert(
      rows.end(),
      {
          {multiplied("int16_multiplied_by_two", {2, 11, 5, 7}, {22, 1, 3, 3}, same, 11), all},
          {multiplied("int16_multiplied_by_three", {1, 7, 6, 9}, {21, 1, 3, 2},
                      {.stride = {2, 2}, .begin = {0, 1}, .end = {1, 0}}, 7),
           {with_int16_ends, wrapping_ends, half_even}},
          {multiplied("int16_multiplied_by_four", {1, 3, 6, 9}, {12, 1, 3, 3}, same, 3),
           {with_small_ends, with_int16_ends, with_all_results}},
          {multiplied("int16_multiplied_by_five", {1, 4, 4, 5}, {20, 1, 2, 2}, {}, 4),
           {with_int16_ends, wrapping_any}},
          {multiplied("int16_multiplied_by_eight", {1, 3, 5, 5}, {24, 1, 5, 5},
                      {.begin = {2, 2}, .end = {2, 2}}, 3),
           {with_int16_ends}},
          {multiplied("int16_multiplied_by_17", {1, 2, 4, 5}, {34, 1, 2, 2}, {}, 2),
           {with_int16_ends, planes_of_results}},
      });
  const auto grouped = multiplied;
  rows.insert(
      rows.end(),
      {
          {grouped("int16_groups_of_four", {2, 8, 4, 7}, {12, 4, 3, 3}, same, 2), all},
          {grouped("int16_groups_of_three", {1, 9, 5, 6}, {15, 3, 2, 3},
                   {.stride = {2, 1}, .begin = {0, 2}, .end = {1, 1}}, 3),
           {with_small_ends, with_int16_ends, wrapping_ends, wrapping_any, half_even, no_bias}},
          {grouped("int16_groups_of_points", {1, 32, 3, 11}, {28, 8, 1, 1}, {}, 4),
           {with_small_ends, wrapping_ends, single_for_all}},
          {grouped("int16_groups_of_many_outputs", {1, 34, 2, 5}, {106, 17, 1, 2}, {.end = {0, 1}},
                   2),
           {with_int16_ends, with_all_results}},
          {grouped("int16_groups_of_one_output", {1, 21, 3, 6}, {7, 3, 3, 3}, same, 7),
           {with_int16_ends, planes_of_results}},
          {grouped("int16_groups_dilated", {1, 6, 9, 10}, {8, 3, 3, 3},
                   {.dilation = {3, 2}, .begin = {3, 2}, .end = {3, 2}}, 2),
           {planes_of_x}},
          grouped("int16_groups_beside", {1, 4, 3, 3}, {6, 2, 2, 2},
                  {.begin = {5, 4}, .end = {4, 5}}, 2),
          {grouped("int16_groups_line", {2, 10, 1, 23}, {6, 5, 1, 5},
                   {.stride = {1, 2}, .begin = {0, 2}, .end = {0, 2}}, 2),
           {with_outside, with_int16_ends}},
          {grouped("int16_groups_deep", {1, 166, 3, 5}, {6, 83, 2, 3},
                   {.begin = {1, 1}, .end = {0, 1}}, 2),
           {with_outside, with_int16_ends, with_bias_of_32_bits, half_even}},
          {grouped("int16_groups_deeper", {1, 2006, 1, 5}, {10, 1003, 1, 1}, {}, 2),
           {with_int16_ends}},
          {grouped("int16_groups_large", {1, 32, 16, 17}, {48, 8, 3, 3}, same, 4),
           {with_int16_ends}},
      });
  for (const uint32_t width : {1u, 2u, 3u, 5u, 8u, 11u}) {
    const std::string name = std::to_string(width);
    rows.push_back({conv("int16_point" + name, kInt16s, {1, 3 + width, 1, width},
                         {4 * width + 1, 3 + width, 1, 1}, {}),
                    {with_small_ends, wrapping_ends, with_int16_ends}});
    const uint32_t channels = 2 * width + 1;
    const auto depthwise = [&](const char* of, uint32_t h, uint32_t w, Windows windows) {
      windows.groups = channels;
      return conv(of + name, kInt16s, {2, channels, 6, width}, {channels, 1, h, w}, windows);
    };
    rows.push_back({depthwise("int16_depthwise", 3, 3, same),
                    {with_small_ends, with_int16_ends, wrapping_ends, wrapping_any, half_even}});
    rows.push_back({depthwise("int16_depthwise_by_two", 5, 4,
                              {.stride = {2, 2}, .begin = {2, 3}, .end = {3, 1}}),
                    {single_for_all, no_bias, with_all_results}});
    rows.push_back({depthwise("int16_depthwise_dilated", 2, 3,
                              {.dilation = {3, 2}, .begin = {2, 4}, .end = {3, 2}}),
                    {with_small_ends}});
  }
  return rows;
}

// Images and windows of one line, as those of sounds are.
std::vector<CaseRow> lines() {
  std::vector<CaseRow> rows = {
      {conv("line", kBytes, {2, 5, 1, 19}, {7, 5, 1, 3},
            {.stride = {1, 2}, .begin = {0, 2}, .end = {0, 1}}),
       {x_zero_point_and_outside, with_all_results, zero_points_and_outside, half_even}},
      conv("line_dilated", kUnsignedX, {1, 3, 1, 21}, {6, 3, 1, 4},
           {.dilation = {1, 3}, .begin = {0, 1}, .end = {0, 4}}),
      // The strides of x are those of neighboring taps, which lie beside it.
      {conv("pixel_dilated", kBytes, {3, 2, 1, 1}, {5, 2, 1, 3},
            {.dilation = {1, 2}, .begin = {0, 4}}),
       {planes_of_x}},
      {conv("line_by_three", kBytes, {1, 4, 1, 23}, {9, 4, 1, 1}, {.stride = {1, 3}}),
       {with_x_zero_point}},
      conv("line_beside", kBytes, {1, 4, 1, 9}, {3, 4, 1, 1}, {.begin = {1, 1}, .end = {0, 0}}),
      {conv("depthwise_line_of_pieces", kBytes, {2, 11, 1, 53}, {11, 1, 1, 9},
            {.begin = {0, 4}, .end = {0, 4}, .groups = 11}),
       {x_zero_point_and_outside, with_all_results, with_constant_outputs}},
      {conv("depthwise_line_by_two", kUnsignedX, {1, 8, 1, 71}, {8, 1, 1, 5},
            {.stride = {1, 2}, .begin = {0, 1}, .end = {0, 20}, .groups = 8}),
       {with_zero_points, with_all_results}},
      conv("depthwise_line_of_one", kBytes, {1, 6, 1, 37}, {6, 1, 1, 37}, {.groups = 6}),
      conv("depthwise_line_beside", kBytes, {1, 4, 1, 3}, {4, 1, 1, 2},
           {.begin = {0, 20}, .end = {0, 30}, .groups = 4}),
  };
  for (const uint32_t taps : {2u, 3u, 5u, 9u, 13u}) {
    const uint32_t channels = taps + 2;
    const auto depthwise = [&](const char* name, const QuantizedTypes& types, uint32_t length,
                               Windows windows) {
      windows.groups = channels;
      return conv(name + std::to_string(taps), types, {1, channels, 1, length},
                  {channels, 1, 1, taps}, windows);
    };
    rows.insert(
        rows.end(),
        {
            {depthwise("depthwise_long_line", kBytes, 33, {.begin = {0, taps / 2}, .end = {0, 1}}),
             {with_x_zero_point, zero_points_and_outside, huge_biases_of_all}},
            {depthwise("depthwise_long_line_by_two", kUnsignedY, 40,
                       {.stride = {1, 2}, .end = {0, 3}}),
             {with_x_zero_point}},
            depthwise("depthwise_line_of_one_place", kBytes, taps, {}),
        });
  }
  return rows;
}

// Windows whose lines are no whole words of bytes, at places inside x and at its edges.
std::vector<CaseRow> uneven_lines() {
  const Windows same = {.begin = {1, 1}, .end = {1, 1}};
  std::vector<CaseRow> rows;
  for (const uint32_t channels : {1u, 2u, 3u, 5u}) {
    const auto window = [&](const char* name, const QuantizedTypes& types, uint32_t kernel_h,
                            uint32_t kernel_w, const Windows& windows) {
      return conv(name + std::to_string(channels), types, {2, channels, 7, 21},
                  {6, channels, kernel_h, kernel_w}, windows);
    };
    rows.insert(rows.end(),
                {
                    {window("uneven", kBytes, 3, 3, same),
                     {with_x_zero_point, x_zero_point_and_outside, half_even}},
                    {window("uneven_by_two", kUnsignedX, 3, 3, {.stride = {2, 2}, .end = {1, 1}}),
                     {with_x_zero_point, zero_points_and_outside}},
                    window("uneven_dilated", kUnsignedXAndY, 2, 5,
                           {.dilation = {3, 1}, .begin = {1, 2}, .end = {0, 2}}),
                });
  }
  return rows;
}

// Results of all roundings but TensorFlow Lite's of int8, half of them of the type's whole range.
std::vector<OpCase> rounded_once() {
  const Windows same = {.begin = {1, 1}, .end = {1, 1}};
  const auto grouped = [](Windows windows, uint32_t groups) {
    windows.groups = groups;
    return windows;
  };
  std::vector<OpCase> cases;
  for (const QuantizedTypes& types : {kBytes, kUnsignedX, kUnsignedY}) {
    const std::string of = "_of_" + name_of(types);
    const std::vector<OpCase> shapes = {
        conv("once" + of, types, {1, 5, 4, 7}, {7, 5, 3, 3}, same),
        conv("once_pointwise" + of, types, {1, 18, 3, 7}, {10, 18, 1, 1}, {}),
        conv("once_one_place" + of, types, {1, 16, 1, 1}, {9, 16, 1, 1}, {}),
        conv("once_depthwise" + of, types, {1, 10, 5, 7}, {10, 1, 3, 3}, grouped(same, 10)),
        conv("once_depthwise_line" + of, types, {1, 8, 1, 21}, {8, 1, 1, 5}, grouped({}, 8)),
        conv("once_depthwise_dilated" + of, types, {1, 9, 4, 8}, {9, 1, 3, 3},
             grouped({.dilation = {1, 3}, .begin = {1, 3}, .end = {1, 3}}, 9)),
        conv("once_depthwise_large" + of, types, {1, 6, 7, 7}, {6, 1, 5, 4}, grouped(same, 6)),
    };
    for (const NamedRounding& rounding : kRoundings) {
      if (rounding.rounding == Rounding::kTfliteDouble) continue;
      for (const OpCase& shape : shapes) {
        const bool whole = cases.size() % 2 == 0;
        const OpCase c = with_x_zero_point(whole ? with_all_results(shape) : shape);
        cases.push_back(
            with_rounding<QuantizedConvAttributes>(c, rounding.name, rounding.rounding));
        if (rounding.rounding == Rounding::kFloat32) continue;
        cases.push_back(with_halves(cases.back()));
        cases.push_back(with_all_results(with_halves(with_rounding<QuantizedConvAttributes>(
            with_x_zero_point(shape), rounding.name, rounding.rounding))));
        cases.push_back(with_halves_and_idle_outputs(with_rounding<QuantizedConvAttributes>(
            with_x_zero_point(shape), rounding.name, rounding.rounding)));
      }
    }
    // More outputs than kernels know of which have halves.
    const OpCase many = half_even(with_all_results(
        with_x_zero_point(conv("once_many" + of, types, {1, 4, 2, 5}, {301, 4, 1, 1}, {}))));
    cases.push_back(many);
    cases.push_back(with_halves(many));
    cases.push_back(half_even(with_all_results(with_zero_points(
        conv("once_less_a_zero_point" + of, types, {1, 7, 3, 5}, {9, 7, 1, 1}, {})))));
  }
  return cases;
}

// Activations of uint8 with weights that have a zero point, as models of uint8 have them: some
// weights less that do not fit 8 bits. One factor is for all outputs, or each has its own.
std::vector<OpCase> of_uint8() {
  const Windows same = {.begin = {1, 1}, .end = {1, 1}};
  const Windows by_two = {.stride = {2, 2}, .begin = {0, 0}, .end = {1, 1}};
  const auto grouped = [](Windows windows, uint32_t groups) {
    windows.groups = groups;
    return windows;
  };
  const std::vector<OpCase> shapes = {
      conv("bytes", kUnsignedXAndY, {1, 5, 4, 7}, {7, 5, 3, 3}, same),
      conv("bytes_pointwise", kUnsignedXAndY, {1, 18, 3, 7}, {10, 18, 1, 1}, {}),
      conv("bytes_deep", kUnsignedXAndY, {1, 35, 2, 9}, {53, 35, 2, 1}, {}),
      conv("bytes_one_place", kUnsignedXAndY, {1, 16, 1, 1}, {21, 16, 1, 1}, {}),
      conv("bytes_depthwise", kUnsignedXAndY, {2, 21, 5, 15}, {21, 1, 3, 3}, grouped(same, 21)),
      conv("bytes_depthwise_by_two", kUnsignedXAndY, {1, 36, 6, 28}, {36, 1, 3, 3},
           grouped(by_two, 36)),
      conv("bytes_depthwise_dilated", kUnsignedXAndY, {1, 13, 6, 11}, {13, 1, 3, 3},
           grouped({.dilation = {2, 2}, .begin = {2, 2}, .end = {2, 2}}, 13)),
      conv("bytes_depthwise_of_8", kUnsignedXAndY, {1, 8, 4, 27}, {8, 1, 2, 4},
           grouped({.begin = {1, 3}, .end = {1, 0}}, 8)),
  };
  std::vector<OpCase> cases;
  for (const int32_t zero_point : {-128, -60, 0, 3, 100, 127}) {
    for (const OpCase& shape : shapes) {
      const std::string of = "zero_point" + std::to_string(cases.size());
      OpCase c = with<QuantizedConvAttributes>(shape, of.c_str(), [&](QuantizedConvAttributes& a) {
        a.x_zero_point = 128;
        a.outside = 119;
        a.w_zero_point = zero_point;
      });
      if (cases.size() % 4 != 0) c = with_all_results(std::move(c));
      if (cases.size() % 3 != 0) c = with_single_ends(std::move(c));
      cases.push_back(in_float32(std::move(c)));
    }
  }
  return cases;
}

// Depthwise windows of several words of four taps, and of more than three vectors of words.
std::vector<CaseRow> large_windows() {
  const auto depthwise = [](const std::string& name, const QuantizedTypes& types, const Dims& x,
                            const Dims& kernel, Windows windows) {
    windows.groups = x[1];
    return conv("depthwise_" + name, types, x, {x[1], 1, kernel[0], kernel[1]}, windows);
  };
  return {
      {depthwise("square5", kBytes, {1, 19, 7, 15}, {5, 5}, {.begin = {2, 2}, .end = {2, 2}}),
       {with_zero_points, zero_points_and_outside, divided_biases_of_all, half_even}},
      {depthwise("square7", kUnsigned, {1, 5, 9, 9}, {7, 7}, {.begin = {3, 3}, .end = {3, 3}}),
       {with_zero_points, with_outside}},
      {depthwise("square9", kBytes, {1, 3, 10, 10}, {9, 9}, {.begin = {4, 4}, .end = {4, 4}}),
       {with_zero_points}},
      {depthwise("unsigned_square3", kUnsigned, {2, 21, 4, 14}, {3, 3},
                 {.stride = {2, 2}, .begin = {0, 0}, .end = {1, 1}}),
       {with_zero_points, zero_points_and_outside}},
      {depthwise("dilated", kBytes, {1, 4, 11, 17}, {3, 3},
                 {.dilation = {2, 2}, .begin = {2, 2}, .end = {2, 2}}),
       {with_x_zero_point, with_all_results, with_constant_outputs, no_bias, single_for_all,
        with_outside}},
      {depthwise("dilated_in_phases", kBytes, {2, 19, 8, 15}, {3, 3},
                 {.dilation = {2, 4}, .begin = {2, 4}, .end = {2, 4}}),
       {with_zero_points, x_zero_point_and_outside, divided_biases_of_all, huge_biases_of_all,
        half_even, single_for_all}},
      {depthwise("dilated_in_more_phases", kUnsigned, {1, 7, 3, 23}, {2, 5},
                 {.dilation = {1, 3}, .begin = {1, 7}, .end = {0, 2}}),
       {with_zero_points, with_all_results}},
      depthwise("dilated_beyond_places", kBytes, {1, 5, 4, 9}, {1, 3},
                {.dilation = {1, 12}, .begin = {0, 12}, .end = {0, 12}}),
      {depthwise("dilated_to_one_place", kBytes, {1, 5, 4, 5}, {1, 3}, {.dilation = {1, 2}}),
       {with_zero_points}},
      depthwise("dilated_beside", kBytes, {1, 4, 2, 3}, {1, 2},
                {.dilation = {1, 2}, .begin = {0, 20}, .end = {0, 30}}),
      {depthwise("dilated_line", kBytes, {1, 8, 1, 61}, {1, 3}, {.dilation = {1, 8}}),
       {with_zero_points, with_x_zero_point, with_all_results, no_bias, huge_biases_of_all}},
      depthwise("dilated_by_two", kBytes, {1, 4, 9, 22}, {3, 3},
                {.stride = {1, 2}, .dilation = {1, 4}, .begin = {1, 5}, .end = {1, 3}}),
      depthwise("dilated_by_three", kUnsignedX, {1, 2, 5, 31}, {2, 4},
                {.stride = {1, 3}, .dilation = {2, 2}, .begin = {1, 3}, .end = {1, 1}}),
      depthwise("by_gaps", kBytes, {1, 2, 5, 31}, {2, 2}, {.stride = {1, 4}, .begin = {0, 3}}),
      depthwise("by_five", kUnsignedY, {1, 6, 9, 40}, {5, 6},
                {.stride = {2, 5}, .begin = {3, 7}, .end = {1, 1}}),
      depthwise("pixel_by_two", kBytes, {1, 3, 5, 9}, {1, 1}, {.stride = {2, 2}}),
      depthwise("tall_pixel_by_three", kBytes, {1, 3, 5, 19}, {2, 1},
                {.stride = {1, 3}, .begin = {1, 1}}),
      {depthwise("line_of_9", kBytes, {1, 17, 2, 29}, {1, 9}, {.begin = {0, 4}, .end = {0, 4}}),
       {with_zero_points, zero_points_and_outside}},
      depthwise("line_of_7_by_two", kUnsigned, {1, 3, 2, 40}, {1, 7},
                {.stride = {1, 2}, .begin = {0, 2}, .end = {0, 3}}),
      depthwise("line_of_6_by_three", kBytes, {1, 3, 2, 45}, {1, 6},
                {.stride = {1, 3}, .begin = {0, 5}, .end = {0, 6}}),
      depthwise("line_of_5_dilated", kBytes, {1, 3, 2, 41}, {1, 5},
                {.stride = {1, 4}, .dilation = {1, 2}, .begin = {0, 3}, .end = {0, 3}}),
      depthwise("line_of_4_beside", kBytes, {1, 3, 1, 3}, {1, 4},
                {.begin = {1, 30}, .end = {1, 30}}),
      {depthwise("column_of_21", kBytes, {1, 18, 21, 1}, {21, 1}, {}), {zero_points_and_outside}},
      depthwise("column_of_2_by_two", kBytes, {1, 4, 29, 1}, {2, 1},
                {.stride = {2, 1}, .dilation = {2, 1}, .begin = {1, 0}, .end = {2, 0}}),
  };
}

// Depthwise windows whose channels serve several columns: a power of two of them and not, fewer and
// more than kernels compute at once.
std::vector<CaseRow> multiplied_windows() {
  const auto multiplied = [](uint32_t by, const std::string& name, const QuantizedTypes& types,
                             const Dims& x, const Dims& kernel, Windows windows) {
    windows.groups = x[1];
    return conv("multiplied_by" + std::to_string(by) + "_" + name, types, x,
                {by * x[1], 1, kernel[0], kernel[1]}, windows);
  };
  const Windows same = {.begin = {1, 1}, .end = {1, 1}};
  return {
      {multiplied(2, "square3", kBytes, {2, 11, 5, 15}, {3, 3}, same),
       {with_x_zero_point, with_zero_points, zero_points_and_outside, with_all_results,
        huge_biases_of_all, divided_biases_of_all, with_constant_outputs, no_bias, single_for_all,
        half_even, in_float32}},
      {multiplied(3, "by_two", kUnsignedXAndY, {1, 7, 6, 28}, {3, 3},
                  {.stride = {2, 2}, .begin = {0, 1}, .end = {1, 0}}),
       {with_zero_points, x_zero_point_and_outside, with_all_results, half_even, in_float32}},
      {multiplied(8, "of_three", kBytes, {1, 3, 6, 9}, {3, 3}, same), {with_x_zero_point}},
      {multiplied(17, "tall", kUnsignedY, {1, 2, 4, 5}, {2, 2}, {}), {half_even}},
      {multiplied(40, "of_two", kBytes, {1, 2, 3, 6}, {3, 4}, same), {with_x_zero_point}},
      {multiplied(2, "square5", kBytes, {1, 13, 7, 15}, {5, 5}, {.begin = {2, 2}, .end = {2, 2}}),
       {with_zero_points, x_zero_point_and_outside, half_even}},
      {multiplied(5, "square7", kUnsigned, {1, 4, 8, 9}, {7, 7}, {.begin = {3, 3}, .end = {3, 3}}),
       {with_zero_points}},
      {multiplied(2, "dilated", kUnsignedX, {1, 5, 8, 15}, {3, 3},
                  {.dilation = {2, 4}, .begin = {2, 4}, .end = {2, 4}}),
       {with_zero_points, with_all_results, half_even}},
      {multiplied(3, "line_of_9", kBytes, {1, 6, 2, 37}, {1, 9}, {.begin = {0, 4}, .end = {0, 4}}),
       {with_zero_points, zero_points_and_outside, half_even}},
      {multiplied(2, "line_by_two", kUnsigned, {1, 3, 1, 40}, {1, 7},
                  {.stride = {1, 2}, .begin = {0, 2}, .end = {0, 3}}),
       {with_x_zero_point}},
      {multiplied(4, "pixel", kBytes, {1, 5, 5, 9}, {1, 1}, {}), {half_even}},
      multiplied(2, "by_three", kBytes, {1, 4, 5, 31}, {2, 4},
                 {.stride = {1, 3}, .begin = {1, 3}, .end = {1, 1}}),
      // Enough lines for several threads.
      {multiplied(2, "large", kBytes, {1, 33, 16, 17}, {3, 3}, same),
       {with_x_zero_point, half_even}},
  };
}

OpCase even_less_zero_points(OpCase c) { return half_even(with_zero_points(std::move(c))); }
OpCase even_of_all(OpCase c) {
  return half_even(x_zero_point_and_outside(with_all_results(std::move(c))));
}
OpCase even_halves(OpCase c) { return half_even(with_all_results(with_halves(std::move(c)))); }
OpCase even_idle_outputs(OpCase c) { return half_even(with_halves_and_idle_outputs(std::move(c))); }
OpCase even_of_one_factor(OpCase c) { return half_even(with_single_ends(no_bias(std::move(c)))); }
OpCase floats_less_zero_points(OpCase c) {
  return in_float32(zero_points_and_outside(std::move(c)));
}

// Depthwise windows of lines of one place, inside x and beyond it.
std::vector<CaseRow> single_places() {
  const auto place = [](const std::string& name, const QuantizedTypes& types, const Dims& x,
                        const Dims& kernel, Windows windows) {
    windows.groups = x[1];
    return conv("place_" + name, types, x, {x[1], 1, kernel[0], kernel[1]}, windows);
  };
  const std::vector<Variant> all = {with_x_zero_point,
                                    with_zero_points,
                                    x_zero_point_and_outside,
                                    zero_points_and_outside,
                                    with_all_results,
                                    huge_biases_of_all,
                                    divided_biases_of_all,
                                    with_constant_outputs,
                                    no_bias,
                                    single_for_all,
                                    half_even,
                                    in_float32,
                                    even_less_zero_points,
                                    even_of_all,
                                    even_halves,
                                    even_idle_outputs,
                                    even_of_one_factor,
                                    floats_less_zero_points,
                                    with_halves,
                                    with_halves_and_idle_outputs};
  return {
      {place("line23", kBytes, {1, 67, 1, 23}, {1, 23}, {}), all},
      {place("of_uint8", kUnsignedXAndY, {2, 13, 3, 9}, {2, 9}, {.begin = {1, 0}}), all},
      {place("square", kBytes, {1, 35, 3, 3}, {3, 3}, {.begin = {1, 0}, .end = {1, 0}}), all},
      {place("beyond", kUnsignedY, {1, 9, 4, 1}, {3, 5},
             {.stride = {2, 1}, .begin = {1, 2}, .end = {1, 2}}),
       {x_zero_point_and_outside, with_all_results, half_even, in_float32}},
      {place("dilated", kUnsignedX, {1, 6, 7, 8}, {3, 3},
             {.dilation = {2, 4}, .begin = {2, 2}, .end = {2, 0}}),
       {zero_points_and_outside, half_even}},
      {place("over", kBytes, {1, 5, 2, 2}, {1, 2},
             {.dilation = {1, 9}, .begin = {0, 4}, .end = {0, 4}}),
       {x_zero_point_and_outside}},
      // Enough lines of enough columns for several threads.
      {place("large", kBytes, {1, 130, 24, 4}, {3, 4}, {.begin = {1, 0}, .end = {1, 0}}),
       {with_x_zero_point, half_even}},
  };
}

// Groups of several channels, or of several outputs of one: even and odd ones of both.
std::vector<CaseRow> groups() {
  const auto grouped = [](const std::string& name, const QuantizedTypes& types, const Dims& x,
                          const Dims& w, Windows windows, uint32_t groups) {
    windows.groups = groups;
    return conv("groups_" + name, types, x, w, windows);
  };
  const Windows same = {.begin = {1, 1}, .end = {1, 1}};
  return {
      {grouped("of_four", kBytes, {2, 8, 4, 7}, {12, 4, 3, 3}, same, 2),
       {with_x_zero_point, x_zero_point_and_outside, zero_points_and_outside, with_all_results,
        huge_biases_of_all, divided_biases_of_all, half_even, single_for_all, no_bias,
        planes_of_results}},
      {grouped("of_three", kUnsignedX, {1, 9, 5, 6}, {15, 3, 2, 3},
               {.stride = {2, 1}, .begin = {0, 2}, .end = {1, 1}}, 3),
       {with_x_zero_point, zero_points_and_outside, with_all_results, half_even, no_bias}},
      {grouped("of_points", kUnsignedY, {1, 32, 3, 11}, {28, 8, 1, 1}, {}, 4),
       {with_x_zero_point, single_for_all}},
      {grouped("of_many_outputs", kBytes, {1, 34, 2, 5}, {106, 17, 1, 2}, {.end = {0, 1}}, 2),
       {zero_points_and_outside, half_even}},
      {grouped("of_one_output", kBytes, {1, 21, 3, 6}, {7, 3, 3, 3}, same, 7), {with_x_zero_point}},
      grouped("dilated", kBytes, {1, 6, 9, 10}, {8, 3, 3, 3},
              {.dilation = {3, 2}, .begin = {3, 2}, .end = {3, 2}}, 2),
      grouped("beside", kBytes, {1, 4, 3, 3}, {6, 2, 2, 2}, {.begin = {5, 4}, .end = {4, 5}}, 2),
      {grouped("line", kUnsignedX, {2, 10, 1, 23}, {6, 5, 1, 5},
               {.stride = {1, 2}, .begin = {0, 2}, .end = {0, 2}}, 2),
       {with_zero_points}},
      {grouped("multiplier2", kBytes, {1, 6, 5, 7}, {12, 1, 3, 3}, same, 6),
       {with_x_zero_point, zero_points_and_outside, huge_biases_of_all, half_even}},
      {grouped("multiplier3", kUnsignedX, {1, 5, 4, 9}, {15, 1, 3, 2},
               {.stride = {1, 2}, .end = {0, 1}}, 5),
       {with_x_zero_point, with_all_results}},
      grouped("multiplier17", kBytes, {1, 2, 4, 4}, {34, 1, 2, 2}, {}, 2),
      // Enough lines for several threads.
      {grouped("large", kBytes, {1, 32, 16, 17}, {48, 8, 3, 3}, same, 4),
       {zero_points_and_outside, half_even, single_for_all}},
  };
}

}  // namespace

std::vector<OpCase> quantized_conv_cases() {
  const Windows same = {.begin = {1, 1}, .end = {1, 1}};
  const Dims x = {1, 3, 6, 7};
  const Dims w = {18, 3, 3, 3};
  const OpCase square = conv("square3", kBytes, x, w, same);
  std::vector<OpCase> cases = expanded({
      with_run_time_zero_points(square),
      {square,
       {with_outside, zero_points_and_outside, single_for_all, half_even, as_sums, no_bias,
        run_time_x_sums}},
      {conv("sums_of_images", kUnsignedX, {2, 20, 7, 9}, {37, 20, 3, 2},
            {.stride = {2, 1}, .dilation = {1, 2}, .begin = {1, 2}, .end = {2, 1}}),
       {as_sums, run_time_x_sums}},
      {conv("sums_of_places", kUnsignedX, {2, 70, 5, 6}, {33, 70, 1, 1}, {}),
       {as_sums, run_time_x_sums}},
      conv("pointwise", kBytes, {1, 37, 3, 5}, {21, 37, 1, 1}, {}),
      planes_of_results(conv("pointwise", kBytes, {1, 8, 3, 7}, {6, 8, 1, 1}, {})),
      planes_of_results(conv("window", kBytes, {1, 8, 3, 15}, {6, 8, 3, 2}, same)),
      conv("pointwise_images", kBytes, {2, 8, 3, 5}, {16, 8, 1, 1}, {}),
      conv("one_element", kBytes, {1, 1, 1, 1}, {1, 1, 1, 1}, {}),
      conv("kernel_2x5", kBytes, {1, 4, 8, 9}, {6, 4, 2, 5},
           {.stride = {1, 3}, .begin = {1, 0}, .end = {0, 4}}),
      conv("dilation", kBytes, {1, 2, 9, 10}, {5, 2, 3, 3},
           {.dilation = {3, 2}, .begin = {3, 2}, .end = {3, 2}}),
      {conv("padding_wider_than_kernel", kBytes, {1, 2, 3, 3}, {3, 2, 2, 2},
            {.begin = {5, 4}, .end = {4, 5}}),
       {with_outside, zero_points_and_outside}},
      conv("one_dimensional", kBytes, {2, 6, 1, 19}, {10, 6, 1, 4},
           {.stride = {1, 2}, .dilation = {1, 2}, .begin = {0, 3}, .end = {0, 1}}),
      {conv("groups_of_two", kBytes, {1, 6, 7, 6}, {9, 2, 3, 3},
            {.begin = {1, 1}, .end = {1, 1}, .groups = 3}),
       {with_outside, zero_points_and_outside}},
      conv("groups_of_many", kUnsigned, {1, 36, 3, 4}, {40, 18, 1, 1}, {.groups = 2}),
      {conv("depthwise", kBytes, {1, 19, 5, 6}, {19, 1, 3, 3},
            {.begin = {1, 1}, .end = {1, 1}, .groups = 19}),
       {with_outside, zero_points_and_outside, with_zero_points, run_time_sums}},
      conv("depthwise_stride2", kInt16s, {2, 32, 7, 5}, {32, 1, 5, 3},
           {.stride = {2, 1}, .dilation = {1, 2}, .begin = {2, 2}, .end = {2, 2}, .groups = 32}),
      {conv("depthwise_unsigned", kUnsigned, {1, 20, 5, 4}, {20, 1, 3, 3},
            {.begin = {1, 1}, .end = {1, 1}, .groups = 20}),
       {with_zero_points, run_time_sums}},
      conv("depthwise_multiplier", kBytes, {1, 5, 4, 4}, {15, 1, 3, 3},
           {.begin = {1, 1}, .end = {1, 1}, .groups = 5}),
      conv("depthwise_one_channel", kBytes, {1, 1, 6, 6}, {8, 1, 3, 3}, same),
      {conv("channels_of_four", kBytes, {1, 8, 4, 5}, {10, 8, 3, 2}, same),
       {with_outside, zero_points_and_outside}},
      {conv("large", kBytes, {1, 24, 10, 11}, {33, 24, 3, 3}, same), {run_time_x_sums}},
      {conv("large_int16", kInt16s, {1, 300, 3, 4}, {17, 300, 1, 1}, {}),
       {single_for_all, half_even, as_sums, no_bias}},
      conv("no_images", kBytes, {0, 4, 5, 5}, {8, 4, 3, 3}, {}),
      conv("no_outputs", kBytes, {1, 4, 5, 5}, {0, 4, 3, 3}, {}),
      conv("no_channels", kBytes, {1, 0, 3, 3}, {8, 0, 3, 3}, same),
      {conv("no_rows", kBytes, {1, 4, 0, 5}, {8, 4, 2, 2}, {.begin = {1, 1}, .end = {2, 1}}),
       {with_outside, zero_points_and_outside}},
  });
  // Shapes that fill blocks of columns and places, and such that leave each number of them over.
  const auto add = [&](const std::vector<CaseRow>& more) {
    for (OpCase& c : expanded(more)) cases.push_back(std::move(c));
  };
  add({
      {conv("places_of_four", kBytes, {1, 16, 4, 5}, {8, 16, 1, 1}, {}),
       {with_x_zero_point, with_all_results, with_huge_biases, huge_biases_of_all, half_even,
        single_for_all, no_bias}},
      {conv("window_of_odd", kUnsignedX, {1, 3, 5, 7}, {5, 3, 3, 3}, same),
       {with_x_zero_point, x_zero_point_and_outside, with_all_results, huge_biases_of_all}},
      {conv("unsigned_results", kUnsignedY, {2, 5, 3, 7}, {6, 5, 1, 2}, {.end = {0, 1}}),
       {with_x_zero_point, with_all_results}},
      {conv("unused_outputs", kBytes, {1, 9, 4, 5}, {23, 9, 1, 1}, {}),
       {with_constant_outputs, with_x_zero_point}},
      {conv("one_place", kBytes, {1, 40, 2, 3}, {21, 40, 2, 3}, {}),
       {with_constant_outputs, with_zero_points, half_even}},
      conv("one_place_of_odd", kUnsignedX, {1, 13, 1, 1}, {23, 13, 1, 1}, {}),
      {conv("to_one_output", kBytes, {2, 23, 3, 7}, {1, 23, 1, 1}, {}),
       {with_x_zero_point, with_zero_points, with_all_results, huge_biases_of_all,
        divided_biases_of_all, with_constant_outputs, half_even, even_of_all, even_halves,
        even_less_zero_points, in_float32, no_bias, single_for_all, planes_of_results,
        planes_of_x}},
      {conv("to_one_output_of_fours", kUnsignedY, {1, 64, 5, 9}, {1, 64, 1, 1}, {}),
       {with_x_zero_point, half_even, even_of_one_factor}},
      {conv("to_one_output_large", kBytes, {1, 130, 40, 41}, {1, 130, 1, 1}, {}),
       {with_x_zero_point, half_even}},
      conv("to_one_output_by_two", kBytes, {1, 8, 3, 5}, {1, 8, 1, 1}, {.stride = {2, 2}}),
      conv("to_one_output_beside", kBytes, {1, 4, 1, 9}, {1, 4, 1, 1}, {.begin = {1, 1}}),
  });
  for (const uint32_t depth : {1u, 2u, 3u, 4u, 5u, 8u, 15u, 33u}) {
    add({{conv("to_one_output_of_" + std::to_string(depth), kBytes, {1, depth, 2, 11},
               {1, depth, 1, 1}, {}),
          {zero_points_and_outside, half_even, even_halves, even_less_zero_points}}});
  }
  for (const uint32_t width : {1u, 2u, 3u, 5u, 8u, 11u}) {
    const uint32_t channels = width + 3;
    const auto depthwise = [&](const char* name, const QuantizedTypes& types, uint32_t kernel_h,
                               uint32_t kernel_w, Windows windows) {
      windows.groups = channels;
      return conv(name + std::to_string(width), types, {1, channels, 6, width},
                  {channels, 1, kernel_h, kernel_w}, windows);
    };
    const Windows by_two = {.stride = {2, 2}, .begin = {0, 1}, .end = {1, 1}};
    add({
        {depthwise("depthwise_by_one", kBytes, 3, 3, same),
         {with_x_zero_point, x_zero_point_and_outside, huge_biases_of_all}},
        {depthwise("depthwise_by_two", kUnsignedX, 3, 3, by_two),
         {with_x_zero_point, with_all_results}},
        depthwise("depthwise_line", kBytes, 1, 3, {.begin = {0, 1}, .end = {0, 1}}),
        depthwise("depthwise_column", kUnsignedY, 3, 1, {.dilation = {2, 1}, .begin = {1, 0}}),
        depthwise("depthwise_square2", kBytes, 2, 2, {.begin = {1, 1}, .end = {0, 2}}),
        {depthwise("depthwise_tall", kBytes, 9, 1, {.begin = {4, 0}, .end = {5, 0}}),
         {with_x_zero_point}},
        {depthwise("depthwise_large", kUnsignedX, 5, 4, {.begin = {2, 2}, .end = {1, 3}}),
         {x_zero_point_and_outside, with_all_results}},
    });
  }
  add(lines());
  add(uneven_lines());
  add(large_windows());
  add(multiplied_windows());
  add(single_places());
  add(groups());
  add(sixteen_bits());
  for (OpCase& c : rounded_once()) cases.push_back(std::move(c));
  for (OpCase& c : of_uint8()) cases.push_back(std::move(c));
  // More than a vector of products and than the places and columns that are computed at once.
  add({
      {conv("window_of_vectors", kBytes, {1, 9, 4, 7}, {53, 9, 2, 2},
            {.begin = {0, 1}, .end = {1, 0}}),
       {with_x_zero_point, x_zero_point_and_outside, with_divided_biases, divided_biases_of_all,
        half_even, single_for_all}},
      // Of pieces of a line the second, not the last, is the one that reads least far ahead.
      conv("one_line_by_three", kBytes, {1, 2, 1, 43}, {3, 2, 1, 1}, {.stride = {1, 3}}),
      {conv("window_of_two_vectors", kBytes, {1, 3, 4, 5}, {7, 3, 3, 3}, same),
       {x_zero_point_and_outside, divided_biases_of_all, with_zero_points, zero_points_and_outside,
        half_even}},
      {conv("unsigned_windows", kUnsignedX, {2, 6, 4, 7}, {51, 6, 2, 3},
            {.stride = {1, 2}, .begin = {0, 1}, .end = {1, 0}}),
       {with_zero_points, zero_points_and_outside, with_all_results, half_even, single_for_all}},
      {conv("unsigned_deep", kUnsignedX, {1, 70, 2, 3}, {11, 70, 1, 1}, {}),
       {with_zero_points, half_even}},
      {conv("depthwise_wide", kBytes, {1, 19, 4, 29}, {19, 1, 3, 3},
            {.begin = {1, 1}, .end = {1, 1}, .groups = 19}),
       {x_zero_point_and_outside, divided_biases_of_all, single_for_all, half_even}},
      {conv("depthwise_wide_by_two", kBytes, {1, 17, 5, 30}, {17, 1, 3, 4},
            {.stride = {2, 2}, .begin = {1, 2}, .end = {1, 1}, .groups = 17}),
       {x_zero_point_and_outside, single_for_all}},
      // More than the channels of the widest vectors, and some but not all of their lanes.
      {conv("depthwise_of_many", kBytes, {1, 99, 3, 5}, {99, 1, 3, 3},
            {.begin = {1, 1}, .end = {1, 1}, .groups = 99}),
       {x_zero_point_and_outside, zero_points_and_outside, half_even, single_for_all}},
  });
  cases.push_back(conv("depthwise_large", kBytes, {1, 32, 20, 12}, {32, 1, 3, 3},
                       {.begin = {1, 1}, .end = {1, 1}, .groups = 32}));
  for (const DType y : {DType::kInt8, DType::kUint8, DType::kInt16}) {
    for (const DType from : {DType::kInt8, DType::kUint8, DType::kInt16}) {
      const DType weights = y == from ? DType::kInt8 : DType::kUint8;
      const QuantizedTypes types = {from, weights, y};
      cases.push_back(with_zero_points(conv(name_of(types), types, x, w, same)));
    }
  }
  const OpCase wide = conv("int16_bias_of_32_bits", kInt16s, x, w, same);
  cases.push_back(wide);
  cases.back().inputs[kBiasInput] = whole_range(tensor({w[0]}, DType::kInt32));
  cases.push_back(wide);
  cases.back().name = "int16_huge_bias";
  cases.back().inputs[kBiasInput].specials = {0x1p47L, -0x1p47L, 0x1p62L, -0x1p62L};
  OpCase extreme =
      with_rounding<QuantizedConvAttributes>(square, "extreme_shifts", Rounding::kTfliteDouble);
  extreme.inputs[kMultipliersInput].specials = {0, 0x7fffffffL, 1};
  extreme.inputs[kShiftsInput].specials = {127, -128, 31, 0, -31, 30};
  cases.push_back(extreme);
  cases.push_back(
      with_rounding<QuantizedConvAttributes>(extreme, "half_even", Rounding::kHalfEven));
  // Sums times factors that 32 bits do not hold, to which a zero point is added.
  for (const uint32_t groups : {1u, 2u, 8u}) {
    OpCase c = conv("saturating_groups_" + std::to_string(groups), kUnsigned, {1, 8, 5, 6},
                    {8, 8 / groups, 3, 3}, {.begin = {1, 1}, .end = {1, 1}, .groups = groups});
    c.inputs[kMultipliersInput].specials = {0x7fffffffL, 0x40000000L};
    c.inputs[kShiftsInput].specials = {31, 30, 20, 12};
    cases.push_back(in_float32(zero_points_and_outside(c)));
    cases.push_back(with_rounding<QuantizedConvAttributes>(zero_points_and_outside(std::move(c)),
                                                           "half_even", Rounding::kHalfEven));
  }
  // Weights of 4 bits: odd numbers of elements, pairs that span rows, filters and groups.
  const auto add_packed = [&](const OpCase& c, const Dims& order = {}) {
    cases.push_back(packed(c, order));
  };
  const QuantizedTypes unsigned_weights = {DType::kInt8, DType::kUint8, DType::kInt8};
  for (const Dims& order : {Dims{}, Dims{0, 1, 2, 3}, Dims{2, 3, 1, 0}}) add_packed(square, order);
  add_packed(conv("odd_unsigned", unsigned_weights, {1, 5, 4, 3}, {7, 5, 3, 1}, same));
  add_packed(with_outside(square));
  add_packed(as_sums(with_run_time_zero_points(square)));
  add_packed(conv("channels_of_four", kBytes, {1, 8, 4, 5}, {10, 8, 3, 2}, same));
  add_packed(conv("groups_of_many", kUnsigned, {1, 36, 3, 4}, {40, 18, 1, 1}, {.groups = 2}));
  add_packed(conv("groups_of_three", kBytes, {1, 9, 3, 4}, {15, 3, 1, 1}, {.groups = 3}));
  for (const uint32_t channels : {19u, 32u}) {
    const OpCase depthwise =
        conv("depthwise_of_" + std::to_string(channels), kBytes, {1, channels, 5, 6},
             {channels, 1, 3, 3}, {.begin = {1, 1}, .end = {1, 1}, .groups = channels});
    add_packed(with_outside(depthwise));
    add_packed(depthwise, {2, 3, 0, 1});
  }
  add_packed(conv("large", kBytes, {1, 24, 10, 11}, {33, 24, 3, 3}, same));
  add_packed(conv("large_int16", kInt16s, {1, 300, 3, 4}, {17, 300, 1, 1}, {}));
  add_packed(conv("one_element", kBytes, {1, 1, 1, 1}, {1, 1, 1, 1}, {}));
  add_packed(conv("no_outputs", kBytes, {1, 4, 5, 5}, {0, 4, 3, 3}, {}));
  // Each number of places, columns and k that blocks leave over.
  for (const OpCase& c : expanded({
           {conv("halves_of_points", kBytes, {1, 64, 3, 7}, {16, 64, 1, 1}, {}),
            {with_x_zero_point, with_huge_biases, huge_biases_of_all, with_zero_points,
             single_for_all, no_bias, half_even, planes_of_results, with_large_factors}},
           {conv("halves_of_windows", kUnsignedX, {2, 3, 5, 7}, {5, 3, 3, 3}, same),
            {with_x_zero_point, x_zero_point_and_outside, huge_biases_of_all,
             zero_points_and_outside}},
           {conv("halves_by_two", kUnsignedY, {2, 5, 3, 9}, {6, 5, 1, 2},
                 {.stride = {1, 2}, .end = {0, 1}}),
            {with_x_zero_point}},
           conv("halves_dilated", kBytes, {1, 2, 9, 10}, {5, 2, 3, 3},
                {.dilation = {3, 2}, .begin = {3, 2}, .end = {3, 2}}),
           {conv("halves_unused", kBytes, {1, 9, 4, 5}, {23, 9, 1, 1}, {}),
            {with_constant_outputs, with_x_zero_point}},
           {conv("halves_of_one_place", kBytes, {1, 40, 2, 3}, {21, 40, 2, 3}, {}),
            {with_constant_outputs, with_zero_points, half_even}},
           conv("halves_of_11", kBytes, {1, 11, 1, 6}, {23, 11, 1, 1}, {}),
           // More than what stays in registers: whole triples and fours of columns, and others.
           {conv("halves_deep", kBytes, {1, 37, 3, 5}, {13, 37, 3, 1}, {}),
            {with_x_zero_point, with_large_factors, no_bias, single_for_all}},
           conv("halves_of_groups", kBytes, {1, 32, 3, 5}, {9, 32, 1, 3}, {.end = {0, 1}}),
           conv("halves_of_short_groups", kBytes, {1, 13, 1, 5}, {5, 13, 1, 3}, {}),
           conv("halves_of_14", kUnsignedX, {1, 14, 1, 5}, {8, 14, 1, 1}, {}),
       })) {
    add_packed(c);
    if (c.name.find("_huge_biases") == std::string::npos) add_packed(with_all_results(c));
  }
  OpCase two_operands = as_sums(conv("two_operands", kBytes, x, w, same));
  two_operands.inputs.resize(kBiasInput);
  cases.push_back(two_operands);
  return cases;
}

std::vector<Numbers> quantized_conv_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<QuantizedConvAttributes>(c);
  const Numbers& x = inputs[0];
  const Numbers& w = inputs[1];
  Numbers y = blank_output(c, 0);
  const uint32_t outputs_per_group = w.dims[0] / a.groups;
  const Dims window = {w.dims[1], w.dims[2], w.dims[3]};
  const Number x_zero = end_of(c, inputs, kXZeroPointInput, 0, a.x_zero_point);
  const Number outside = end_of(c, inputs, kXZeroPointInput, 0, a.outside);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Index to = index_of(y.dims, p);
    const uint32_t o = to[1];
    const Number w_zero = end_of(c, inputs, kWZeroPointsInput, o, a.w_zero_point);
    Number sum = 0;
    for (uint64_t t = 0; t < count_of(window); ++t) {
      const Index tap = index_of(window, t);
      const int64_t h =
          int64_t{to[2]} * a.stride[0] + int64_t{tap[1]} * a.dilation[0] - int64_t{a.pad_begin[0]};
      const int64_t v =
          int64_t{to[3]} * a.stride[1] + int64_t{tap[2]} * a.dilation[1] - int64_t{a.pad_begin[1]};
      const bool inside = h >= 0 && v >= 0 && h < x.dims[2] && v < x.dims[3];
      const uint32_t channel = o / outputs_per_group * w.dims[1] + tap[0];
      const Number from =
          inside ? at(x, {to[0], channel, static_cast<uint32_t>(h), static_cast<uint32_t>(v)})
                 : outside;
      sum += (from - x_zero) * (at(w, {o, tap[0], tap[1], tap[2]}) - w_zero);
    }
    y.values[p] = quantized_result(c, inputs, o, sum, a.output);
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
