// Cases of resize: taps along one to three axes, places outside, layouts, every type that is moved.
#include <cmath>
#include <random>

#include "tests/ops/cases.h"
#include "tests/ops/moved_types.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

struct Axis {
  uint32_t axis, size, taps;
};

// Random places and weights; every seventh place lies outside where `leaves`.
OpCase resize(const char* name, Operand x, const std::vector<Axis>& axes, bool weighted,
              bool leaves = false) {
  OpCase c;
  c.name = name;
  c.tolerance = weighted ? 1e-5 : 0;
  ResizeAttributes a = {};
  const float outside = 2.5f;
  if (x.dtype == DType::kFloat32) std::memcpy(a.outside_bits, &outside, sizeof(outside));
  Operand y = x;
  y.repeated = 0;
  std::mt19937 random(static_cast<uint32_t>(x.dims.size()) + 7);
  std::vector<Number> firsts;
  std::vector<Number> weights;
  for (size_t k = 0; k < axes.size(); ++k) {
    a.axis[k] = axes[k].axis;
    a.taps[k] = axes[k].taps;
    y.dims[axes[k].axis] = axes[k].size;
    const uint32_t places = x.dims[axes[k].axis] - axes[k].taps + 1;
    for (uint32_t o = 0; o < axes[k].size; ++o) {
      const Number first = random() % places;
      firsts.push_back(leaves && random() % 7 == 0 ? Number{-1} : first);
      for (uint32_t t = 0; t < axes[k].taps; ++t) {
        weights.push_back(static_cast<Number>(random() % 1024) / 1024 - 0.25L);
      }
    }
  }
  c.attributes = words(a);
  const auto count = [](const std::vector<Number>& of) { return static_cast<uint32_t>(of.size()); };
  c.inputs = {std::move(x), with_values(tensor({count(firsts)}, DType::kInt32), firsts)};
  if (weighted) c.inputs.push_back(with_values(tensor({count(weights)}), weights));
  c.outputs = {std::move(y)};
  return c;
}

// The result in planes, whose columns lie side by side.
OpCase to_planes(OpCase c) {
  c.name += "_to_planes";
  c.outputs[0].order.clear();
  return c;
}

// The case of moved elements, each axis of which is doubled.
OpCase doubled(OpCase c) {
  std::vector<Number>& firsts = c.inputs[1].values;
  uint32_t at = 0;
  const auto a = attributes_of<ResizeAttributes>(c);
  for (uint32_t k = 0; k < 3; ++k) {
    if (a.taps[k] == 0) continue;
    for (uint32_t o = 0; o < c.outputs[0].dims[a.axis[k]]; ++o) firsts[at++] = o / 2;
  }
  return c;
}

OpCase of_float(OpCase c, DType type, const char* name) {
  c.name += std::string("_") + name;
  c.inputs[0].dtype = c.outputs[0].dtype = type;
  if (type == DType::kFloat64) c.inputs[2].dtype = type;
  c.tolerance = type == DType::kFloat64 ? 1e-12 : 1e-5 + half_unit(type);
  return c;
}

// The case with integers: weights are whole numbers of 2^-bits along each axis.
OpCase of_integers(OpCase c, DType type, uint32_t bits, const char* name) {
  c.name += std::string("_weighted_") + name;
  auto a = attributes_of<ResizeAttributes>(c);
  a.fraction_bits = 0;
  for (const uint32_t taps : a.taps) a.fraction_bits += taps != 0 ? bits : 0;
  c.attributes = words(a);
  c.inputs[0].dtype = c.outputs[0].dtype = type;
  c.inputs[0].low = static_cast<double>(lowest_of(type));
  c.inputs[0].high = static_cast<double>(highest_of(type));
  c.inputs[2].dtype = DType::kInt16;
  for (Number& weight : c.inputs[2].values)
    weight = std::round(std::ldexp(weight, static_cast<int>(bits)));
  c.tolerance = 0;
  return c;
}

}  // namespace

std::vector<OpCase> resize_cases() {
  std::vector<OpCase> cases;
  for (const MovedType& type : kMovedTypes) {
    for (const OpCase& c : {
             resize("image", channels_last(tensor({2, 5, 4, 3})), {{2, 7, 1}, {3, 6, 1}}, false),
             resize("image_outside", tensor({1, 3, 4, 5}), {{2, 5, 1}, {3, 9, 1}}, false, true),
             resize("rows", tensor({6, 5}), {{0, 9, 1}}, false),
             resize("columns", tensor({6, 5}), {{1, 11, 1}}, false, true),
             doubled(
                 resize("doubled_planes", tensor({2, 2, 3, 37}), {{2, 6, 1}, {3, 74, 1}}, false)),
             doubled(resize("doubled_volume", tensor({1, 2, 2, 3, 9}),
                            {{2, 4, 1}, {3, 6, 1}, {4, 17, 1}}, false)),
         }) {
      cases.push_back(of_type(c, type, 0b10));
    }
  }
  const std::vector<OpCase> weighted = {
      resize("linear", channels_last(tensor({2, 19, 4, 5})), {{2, 8, 2}, {3, 7, 2}}, true),
      resize("planes", tensor({1, 3, 6, 5}), {{2, 3, 2}, {3, 11, 2}}, true),
      resize("cubic", channels_last(tensor({1, 6, 7, 8})), {{2, 5, 4}, {3, 12, 4}}, true),
      resize("linear_outside", tensor({1, 4, 6, 5}), {{2, 9, 2}, {3, 11, 2}}, true, true),
      resize("volume", tensor({1, 2, 4, 3, 5}), {{2, 3, 2}, {3, 5, 1}, {4, 7, 3}}, true),
      resize("vector", tensor({9}), {{0, 14, 3}}, true),
      resize("all_of_it", tensor({3, 7}), {{0, 2, 3}, {1, 3, 7}}, true),
      resize("to_one", tensor({3, 7, 4}), {{1, 1, 5}, {2, 1, 2}}, true),
      resize("from_one", tensor({3, 1, 4}), {{1, 6, 1}, {2, 5, 2}}, true),
      resize("rank_8", tensor({2, 1, 3, 2, 1, 2, 4, 2}), {{2, 2, 2}, {6, 3, 3}}, true),
      resize("doubled", tensor({1, 1, 2, 2, 3}), {{2, 2, 2}, {3, 4, 2}, {4, 2, 3}}, true),
      resize("large", channels_last(tensor({1, 40, 21, 17})), {{2, 42, 2}, {3, 34, 2}}, true),
      to_planes(
          resize("pixels", channels_last(tensor({2, 19, 4, 5})), {{2, 8, 2}, {3, 17, 2}}, true)),
      to_planes(resize("cubic_pixels", channels_last(tensor({1, 6, 7, 8})), {{2, 5, 4}, {3, 12, 4}},
                       true, true)),
      to_planes(resize("moved_pixels", channels_last(tensor({2, 5, 4, 6})), {{2, 7, 1}, {3, 12, 1}},
                       false)),
      to_planes(resize("large_pixels", channels_last(tensor({1, 21, 14, 17})),
                       {{2, 42, 2}, {3, 68, 2}}, true)),
      resize("lines", tensor({3, 7, 9}), {{2, 23, 2}}, true, true),
      resize("planes_to_vectors", tensor({2, 3, 9, 13}), {{2, 17, 2}, {3, 33, 2}}, true),
      resize("planes_outside", tensor({1, 3, 9, 6}), {{2, 12, 2}, {3, 19, 2}}, true, true),
      resize("planes_by_three", tensor({2, 2, 8, 11}), {{2, 5, 3}, {3, 12, 3}}, true),
      resize("planes_by_four", tensor({1, 2, 8, 11}), {{2, 15, 4}, {3, 22, 4}}, true),
      resize("planes_by_lines", tensor({1, 3, 8, 11}), {{2, 15, 2}, {3, 22, 1}}, true),
      resize("volume_of_planes", tensor({1, 2, 5, 6, 7}), {{2, 9, 2}, {3, 11, 2}, {4, 13, 2}}, true,
             true),
      resize("channels_and_columns", tensor({2, 4, 3, 9}), {{1, 7, 2}, {3, 14, 2}}, true),
      resize("large_planes", tensor({1, 5, 30, 33}), {{2, 60, 2}, {3, 66, 2}}, true),
      resize("planes_moved", tensor({2, 3, 7, 9}), {{2, 14, 1}, {3, 18, 1}}, false, true),
      resize("columns_moved", tensor({4, 9}), {{1, 18, 1}}, false),
      doubled(
          resize("large_planes_moved", tensor({1, 5, 60, 66}), {{2, 120, 1}, {3, 132, 1}}, false)),
      resize("empty", tensor({0, 4, 5}), {{1, 3, 2}, {2, 2, 2}}, true),
      resize("three_channels", channels_last(tensor({2, 3, 5, 7})), {{2, 9, 2}, {3, 13, 2}}, true,
             true),
      resize("channels_by_lines", channels_last(tensor({1, 12, 5, 7})), {{2, 11, 2}}, true),
      resize("wide_channels", channels_last(tensor({1, 40, 2, 300})), {{2, 3, 2}, {3, 310, 2}},
             true),
      resize("fewer_columns", channels_last(tensor({1, 9, 7, 40})), {{2, 3, 2}, {3, 6, 2}}, true),
      resize("empty_result", tensor({2, 4, 5}), {{1, 0, 2}, {2, 2, 2}}, true),
  };
  cases.insert(cases.end(), weighted.begin(), weighted.end());
  cases.push_back(of_integers(weighted[0], DType::kInt8, 10, "int8"));
  cases.push_back(of_integers(weighted[1], DType::kUint8, 10, "uint8"));
  cases.push_back(of_integers(weighted[2], DType::kInt16, 10, "int16"));
  cases.push_back(of_integers(weighted[3], DType::kInt8, 1, "int8"));
  cases.push_back(of_integers(weighted[4], DType::kInt8, 7, "int8"));
  // Integers along one axis and two, by each number of taps, layout and kind of channels.
  for (const DType type : {DType::kInt8, DType::kUint8, DType::kInt16}) {
    const char* name = type == DType::kInt8 ? "int8" : type == DType::kUint8 ? "uint8" : "int16";
    const auto channels = [](uint32_t count, uint32_t h, uint32_t w) {
      return channels_last(tensor({2, count, h, w}));
    };
    for (const OpCase& c : {
             resize("few_channels", channels(3, 4, 5), {{2, 8, 2}, {3, 13, 2}}, true),
             resize("one_channel", channels(1, 6, 5), {{2, 3, 2}, {3, 11, 2}}, true),
             resize("one_channel_outside", channels(1, 7, 9), {{2, 12, 2}, {3, 17, 2}}, true, true),
             resize("vectors", channels(37, 3, 4), {{2, 5, 2}, {3, 6, 2}}, true, true),
             resize("cubic_bytes", channels(6, 7, 8), {{2, 5, 4}, {3, 12, 4}}, true),
             resize("lines", channels(8, 3, 9), {{3, 14, 2}}, true),
             resize("across", channels(8, 9, 3), {{2, 14, 3}}, true, true),
             resize("five_taps", channels(9, 7, 4), {{2, 3, 5}, {3, 5, 1}}, true),
             resize("pieces", channels(40, 2, 300), {{2, 3, 2}, {3, 310, 2}}, true),
             resize("fewer_columns", channels(9, 7, 40), {{2, 3, 2}, {3, 6, 2}}, true),
             resize("many_taps", channels(9, 7, 7), {{2, 3, 5}, {3, 5, 4}}, true),
             resize("planes_of_bytes", tensor({2, 3, 6, 5}), {{2, 3, 2}, {3, 11, 2}}, true),
             resize("other_axes", tensor({5, 6, 4, 8}), {{0, 7, 2}, {2, 9, 2}}, true),
             resize("large_bytes", channels_last(tensor({1, 40, 21, 17})), {{2, 42, 2}, {3, 34, 2}},
                    true),
         }) {
      for (const uint32_t bits : {1u, 10u, 11u}) {
        cases.push_back(of_integers(c, type, bits, name));
        cases.back().name += std::to_string(bits);
      }
    }
  }
  cases.push_back(of_float(weighted[0], DType::kFloat16, "float16"));
  cases.push_back(of_float(weighted[1], DType::kBfloat16, "bfloat16"));
  cases.push_back(of_float(weighted[2], DType::kFloat64, "float64"));
  return cases;
}

std::vector<Numbers> resize_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<ResizeAttributes>(c);
  const Numbers& x = inputs[0];
  Numbers y = blank_output(c, 0);
  std::byte bits[8];
  std::memcpy(bits, a.outside_bits, sizeof(bits));
  const Number outside = decode(y.dtype, bits);
  const std::vector<uint32_t> taps = {std::max(a.taps[0], 1u), std::max(a.taps[1], 1u),
                                      std::max(a.taps[2], 1u)};
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Index index = index_of(y.dims, p);
    Number sum = 0;
    bool leaves = false;
    for (uint64_t t = 0; t < count_of(taps); ++t) {
      const Index tap = index_of(taps, t);
      Index from = index;
      Number weight = 1;
      uint32_t first = 0;
      uint32_t weights = 0;
      for (uint32_t k = 0; k < 3 && a.taps[k] != 0; ++k) {
        const uint32_t o = index[a.axis[k]];
        const Number place = inputs[1].values[first + o];
        leaves = leaves || place < 0;
        from[a.axis[k]] = place < 0 ? 0 : static_cast<uint32_t>(place) + tap[k];
        if (inputs.size() > 2) weight *= inputs[2].values[weights + o * a.taps[k] + tap[k]];
        first += y.dims[a.axis[k]];
        weights += y.dims[a.axis[k]] * a.taps[k];
      }
      if (!leaves) sum += weight * at(x, from);
    }
    if (c.inputs[0].dtype == DType::kInt8 || c.inputs[0].dtype == DType::kUint8 ||
        c.inputs[0].dtype == DType::kInt16) {
      sum = std::round(std::ldexp(sum, -static_cast<int>(a.fraction_bits)));
      sum = std::min(std::max(sum, lowest_of(y.dtype)), highest_of(y.dtype));
    }
    y.values[p] = leaves ? outside : sum;
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
