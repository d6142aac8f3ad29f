// Cases of family pool: every window, what members add to it, and what they mean.
#include <cmath>
#include <limits>

#include "tests/ops/cases.h"
#include "tests/ops/images.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

struct PoolGeometry {
  const char* name;
  std::vector<uint32_t> x;  // [N, C, D, H, W]
  uint32_t kernel[3] = {1, 1, 1};
  uint32_t stride[3] = {1, 1, 1};
  uint32_t dilation[3] = {1, 1, 1};
  uint32_t begin[3] = {};
  uint32_t end[3] = {};
  bool ceil = false;
};

std::vector<PoolGeometry> pool_geometries() {
  return {
      {.name = "square2", .x = {1, 16, 1, 6, 8}, .kernel = {1, 2, 2}, .stride = {1, 2, 2}},
      {.name = "square3_padded",
       .x = {2, 5, 1, 7, 9},
       .kernel = {1, 3, 3},
       .begin = {0, 1, 1},
       .end = {0, 1, 1}},
      {.name = "uneven",
       .x = {1, 17, 1, 9, 11},
       .kernel = {1, 2, 5},
       .stride = {1, 3, 2},
       .begin = {0, 1, 3},
       .end = {0, 0, 1}},
      {.name = "ceil",
       .x = {1, 3, 1, 6, 7},
       .kernel = {1, 3, 3},
       .stride = {1, 2, 2},
       .ceil = true},
      {.name = "ceil_padded",
       .x = {1, 33, 1, 6, 7},
       .kernel = {1, 3, 4},
       .stride = {1, 2, 3},
       .begin = {0, 1, 1},
       .end = {0, 1, 2},
       .ceil = true},
      {.name = "dilation",
       .x = {1, 4, 1, 11, 12},
       .kernel = {1, 3, 2},
       .stride = {1, 2, 1},
       .dilation = {1, 2, 4},
       .begin = {0, 2, 1},
       .end = {0, 1, 3}},
      {.name = "one_dimensional",
       .x = {3, 7, 1, 1, 23},
       .kernel = {1, 1, 4},
       .stride = {1, 1, 3},
       .begin = {0, 0, 2},
       .end = {0, 0, 1}},
      {.name = "three_dimensional",
       .x = {1, 6, 5, 6, 7},
       .kernel = {2, 3, 2},
       .stride = {2, 1, 3},
       .dilation = {2, 1, 1},
       .begin = {1, 1, 0},
       .end = {1, 0, 1}},
      {.name = "whole_input", .x = {1, 20, 1, 7, 7}, .kernel = {1, 7, 7}},
      {.name = "one_element", .x = {1, 1, 1, 1, 1}},
      {.name = "large", .x = {1, 48, 1, 31, 29}, .kernel = {1, 3, 3}, .stride = {1, 2, 2}},
      {.name = "no_images", .x = {0, 3, 1, 5, 5}, .kernel = {1, 2, 2}},
      {.name = "no_channels", .x = {1, 0, 1, 5, 5}, .kernel = {1, 2, 2}},
  };
}

// Computes a dim by ONNX's formula.
uint32_t output_dim(const PoolGeometry& g, uint32_t d) {
  const uint32_t stride = g.stride[d];
  const uint32_t reach = (g.kernel[d] - 1) * g.dilation[d] + 1;
  const uint32_t free = g.x[2 + d] + g.begin[d] + g.end[d] - reach;
  const uint32_t count = (free + (g.ceil ? stride - 1 : 0)) / stride + 1;
  // No window may start in the padding behind the input.
  const bool beyond = (count - 1) * stride >= g.x[2 + d] + g.begin[d];
  return g.ceil && beyond ? count - 1 : count;
}

// Channels last.
OpCase pool_case(const PoolGeometry& g) {
  OpCase c;
  c.name = g.name;
  PoolAttributes a = {};
  for (uint32_t d = 0; d < 3; ++d) {
    a.kernel[d] = g.kernel[d];
    a.stride[d] = g.stride[d];
    a.dilation[d] = g.dilation[d];
    a.pad_begin[d] = g.begin[d];
    a.pad_end[d] = g.end[d];
  }
  std::vector<uint32_t> y = g.x;
  for (uint32_t axis = 0; axis < 3; ++axis) y[2 + axis] = output_dim(g, axis);
  c.attributes = words(a);
  c.inputs = {channels_last(tensor(g.x))};
  c.outputs = {channels_last(tensor(y))};
  return c;
}

// The contents of one window of a pool.
struct Window {
  std::vector<Number> values;
  std::vector<Index> positions;
  uint64_t counted = 0;  // with the padding given by pads
};

Window window_at(const PoolAttributes& a, const Numbers& x, const Index& at_y) {
  Window window;
  const Index kernel = {a.kernel[0], a.kernel[1], a.kernel[2]};
  for (uint64_t t = 0; t < count_of(kernel); ++t) {
    const Index tap = index_of(kernel, t);
    Index from = {at_y[0], at_y[1], 0, 0, 0};
    bool inside = true;
    bool padded = true;
    for (uint32_t d = 0; d < 3; ++d) {
      const int64_t position = int64_t{at_y[2 + d]} * a.stride[d] +
                               int64_t{tap[d]} * a.dilation[d] - int64_t{a.pad_begin[d]};
      const int64_t size = x.dims[2 + d];
      inside = inside && position >= 0 && position < size;
      padded = padded && position < size + int64_t{a.pad_end[d]};
      from[2 + d] = static_cast<uint32_t>(position);
    }
    window.counted += padded ? 1 : 0;
    if (!inside) continue;
    window.values.push_back(at(x, from));
    window.positions.push_back(from);
  }
  return window;
}

OpCase with_indices(OpCase c, bool column_major) {
  c.name += column_major ? "_indices_column_major" : "_indices";
  auto a = attributes_of<PoolAttributes>(c);
  a.column_major = column_major ? 1 : 0;
  c.attributes = words(a);
  c.outputs.push_back(c.outputs[0]);
  c.outputs[1].dtype = DType::kInt64;
  return c;
}

OpCase of_type(OpCase c, DType type, const char* suffix, double low, double high) {
  c.name += suffix;
  c.inputs[0] = ranged(c.inputs[0], low, high);
  for (Operand* operand : {&c.inputs[0], &c.outputs[0]}) operand->dtype = type;
  return c;
}

// The same case for floats of other sizes than 32 bits; 64-bit ones are this exact.
std::vector<OpCase> of_other_floats(const OpCase& c, double double_tolerance) {
  std::vector<OpCase> cases;
  for (const NamedType& type : kAllTypes) {
    if (!is_float(type.dtype) || type.dtype == DType::kFloat32) continue;
    cases.push_back(of_type(c, type.dtype, (std::string("_") + type.name).c_str(), -1, 1));
    cases.back().tolerance = type.dtype == DType::kFloat64
                                 ? double_tolerance
                                 : c.tolerance + (c.tolerance != 0 ? half_unit(type.dtype) : 0);
  }
  return cases;
}

// Numbers of channels that words and vectors take in parts, and windows beside x.
std::vector<OpCase> max_pools_of_integers() {
  std::vector<OpCase> cases;
  const auto add = [&](PoolGeometry geometry, uint32_t channels) {
    geometry.x[1] = channels;
    const OpCase c = pool_case(geometry);
    const std::string suffix = "_of_" + std::to_string(channels);
    cases.push_back(of_type(c, DType::kInt8, (suffix + "_int8").c_str(), -128, 127));
    cases.push_back(of_type(c, DType::kUint8, (suffix + "_uint8").c_str(), 0, 255));
    cases.push_back(of_type(c, DType::kInt16, (suffix + "_int16").c_str(), -32768, 32767));
  };
  for (const uint32_t channels : {8u, 12u, 24u, 31u, 48u}) add(pool_geometries()[1], channels);
  add({.name = "beyond", .x = {2, 1, 2, 3, 3}, .kernel = {1, 1, 2}, .begin = {0, 0, 3}}, 19);
  add({.name = "volume",
       .x = {1, 1, 4, 3, 5},
       .kernel = {2, 3, 3},
       .stride = {1, 2, 1},
       .begin = {1, 1, 2},
       .end = {0, 1, 2}},
      22);
  return cases;
}

// Rows of bytes that lie in planes: of each width and stride that their kernels tell apart, and
// longer than what these take at once.
std::vector<OpCase> max_pools_of_planes() {
  std::vector<OpCase> cases;
  const auto add = [&](const PoolGeometry& geometry) {
    const OpCase c = in_planes(pool_case(geometry));
    cases.push_back(of_type(c, DType::kInt8, "_int8_values", -128, 127));
    cases.push_back(of_type(c, DType::kUint8, "_uint8", 0, 255));
  };
  for (const PoolGeometry& geometry : pool_geometries()) add(geometry);
  for (const uint32_t width : {3u, 5u, 14u, 33u, 150u, 300u}) {
    for (const uint32_t stride : {1u, 2u, 3u}) {
      const std::string name = "row_" + std::to_string(width) + "_by_" + std::to_string(stride);
      add({.name = name.c_str(),
           .x = {1, 2, 1, 4, width},
           .kernel = {1, 3, 5},
           .stride = {1, 1, stride},
           .begin = {0, 1, 2},
           .end = {0, 1, 2}});
    }
  }
  return cases;
}

}  // namespace

std::vector<OpCase> max_pool_cases() {
  std::vector<OpCase> cases;
  for (const PoolGeometry& geometry : pool_geometries()) {
    const OpCase c = pool_case(geometry);
    cases.push_back(c);
    cases.push_back(with_indices(c, false));
    cases.push_back(with_indices(c, true));
    cases.push_back(of_type(c, DType::kUint8, "_uint8", 0, 255));
    for (const OpCase& typed : of_other_floats(c, 0)) cases.push_back(typed);
    cases.push_back(with_indices(of_type(c, DType::kFloat16, "_float16", -1, 1), false));
    // Few different numbers: ties, of which the first counts.
    cases.push_back(with_indices(of_type(c, DType::kInt8, "_int8", -3, 2), false));
  }
  for (const size_t i : {1u, 5u, 7u}) {
    const OpCase c = pool_case(pool_geometries()[i]);
    cases.push_back(of_type(c, DType::kInt8, "_int8_values", -128, 127));
    cases.push_back(of_type(c, DType::kInt16, "_int16", -32768, 32767));
  }
  for (const OpCase& c : max_pools_of_integers()) cases.push_back(c);
  for (const OpCase& c : max_pools_of_planes()) cases.push_back(c);
  OpCase special = with_indices(pool_case(pool_geometries()[1]), false);
  special.name = "nan_and_infinity";
  special.inputs[0].specials = {__builtin_nanl(""), __builtin_infl(), -__builtin_infl()};
  cases.push_back(special);
  OpCase lowest = pool_case(pool_geometries()[1]);
  lowest.name = "all_minus_infinity";
  lowest.inputs[0] = ranged(lowest.inputs[0], -__builtin_inf(), -__builtin_inf());
  lowest.inputs[0].values.assign(count_of(lowest.inputs[0].dims), -__builtin_infl());
  cases.push_back(with_indices(lowest, false));
  return cases;
}

std::vector<Numbers> max_pool_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const Numbers& x = inputs[0];
  const auto a = attributes_of<PoolAttributes>(c);
  Numbers y = blank_output(c, 0);
  Numbers indices = c.outputs.size() > 1 ? blank_output(c, 1) : y;
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Window window = window_at(a, x, index_of(y.dims, p));
    Number best = is_float(x.dtype) ? -std::numeric_limits<Number>::infinity() : lowest_of(x.dtype);
    Number index = -1;
    for (size_t i = 0; i < window.values.size(); ++i) {
      const bool first_nan = std::isnan(window.values[i]) && !std::isnan(best);
      if (index >= 0 && !first_nan && !(window.values[i] > best)) continue;
      best = window.values[i];
      const Index& from = window.positions[i];
      const Index spatial = {from[2], from[3], from[4]};
      const Index sizes = {x.dims[2], x.dims[3], x.dims[4]};
      const uint64_t within = a.column_major != 0
                                  ? position_of(Index{sizes[2], sizes[1], sizes[0]},
                                                Index{spatial[2], spatial[1], spatial[0]})
                                  : position_of(sizes, spatial);
      index = static_cast<Number>(
          position_of(Index{x.dims[0], x.dims[1]}, Index{from[0], from[1]}) * count_of(sizes) +
          within);
    }
    y.values[p] = best;
    indices.values[p] = index;
  }
  if (c.outputs.size() > 1) return {y, indices};
  return {y};
}

std::vector<OpCase> average_pool_cases() {
  std::vector<OpCase> cases;
  for (const PoolGeometry& geometry : pool_geometries()) {
    OpCase c = pool_case(geometry);
    c.tolerance = 1e-6;
    cases.push_back(c);
    auto a = attributes_of<PoolAttributes>(c);
    a.count_include_pad = 1;
    c.attributes = words(a);
    c.name += "_count_include_pad";
    cases.push_back(c);
    for (const OpCase& typed : of_other_floats(c, 1e-15)) cases.push_back(typed);
  }
  return cases;
}

std::vector<OpCase> lp_pool_cases() {
  const auto of_power = [](const PoolGeometry& geometry, uint32_t p) {
    OpCase c = pool_case(geometry);
    auto a = attributes_of<PoolAttributes>(c);
    a.p = p;
    c.attributes = words(a);
    c.name += "_p" + std::to_string(p);
    c.tolerance = 1e-5;
    return c;
  };
  std::vector<OpCase> cases;
  for (const PoolGeometry& geometry : pool_geometries()) {
    for (const uint32_t p : {1u, 2u, 3u}) {
      cases.push_back(of_power(geometry, p));
      for (const OpCase& c : of_other_floats(cases.back(), 1e-14)) cases.push_back(c);
    }
  }
  OpCase special = of_power(pool_geometries()[1], 2);
  special.name = "nan_and_infinity";
  special.inputs[0].specials = {__builtin_nanl(""), __builtin_infl(), -__builtin_infl(), 0};
  cases.push_back(special);
  return cases;
}

std::vector<Numbers> lp_pool_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<PoolAttributes>(c);
  const auto p = static_cast<Number>(a.p);
  Numbers y = blank_output(c, 0);
  for (uint64_t i = 0; i < y.values.size(); ++i) {
    Number sum = 0;
    for (const Number value : window_at(a, inputs[0], index_of(y.dims, i)).values) {
      sum += std::pow(std::fabs(value), p);
    }
    y.values[i] = std::pow(sum, 1 / p);
  }
  return {y};
}

std::vector<Numbers> average_pool_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const Numbers& x = inputs[0];
  const auto a = attributes_of<PoolAttributes>(c);
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Window window = window_at(a, x, index_of(y.dims, p));
    Number sum = 0;
    for (Number value : window.values) sum += value;
    const uint64_t count = a.count_include_pad != 0 ? window.counted : window.values.size();
    y.values[p] = sum / static_cast<Number>(count);
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
