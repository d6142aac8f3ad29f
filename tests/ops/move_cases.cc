// Cases of family move: every type size, and where each element goes.
#include <algorithm>
#include <cstring>

#include "tests/ops/cases.h"
#include "tests/ops/moved_types.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

OpCase copy(const char* name, Operand x, Operand y) {
  OpCase c;
  c.name = name;
  c.inputs = {std::move(x)};
  c.outputs = {std::move(y)};
  return c;
}

OpCase concat(const char* name, std::vector<Operand> inputs, uint32_t axis) {
  OpCase c;
  c.name = name;
  c.attributes = words(ConcatAttributes{axis});
  Operand y = inputs[0];
  y.repeated = 0;
  for (size_t i = 1; i < inputs.size(); ++i) y.dims[axis] += inputs[i].dims[axis];
  c.inputs = std::move(inputs);
  c.outputs = {std::move(y)};
  return c;
}

using Pads = std::vector<int32_t>;

OpCase pad(const char* name, Operand x, const Pads& begin, const Pads& end) {
  OpCase c;
  c.name = name;
  PadAttributes a = {};
  Operand y = x;
  y.repeated = 0;
  for (size_t d = 0; d < begin.size(); ++d) {
    a.begin[d] = begin[d];
    const int64_t dim = int64_t{x.dims[d]} + begin[d] + end[d];
    y.dims[d] = dim > 0 ? static_cast<uint32_t>(dim) : 0;
  }
  c.attributes = words(a);
  c.inputs = {std::move(x)};
  c.outputs = {std::move(y)};
  return c;
}

OpCase in_mode(OpCase c, PadMode mode) {
  auto a = attributes_of<PadAttributes>(c);
  a.mode = mode;
  c.attributes = words(a);
  c.name += mode == PadMode::kEdge ? "_edge" : mode == PadMode::kReflect ? "_reflect" : "_wrap";
  return c;
}

// Any bits will do for the value, short of a float's NaN.
OpCase with_bits(OpCase c, uint32_t low, uint32_t high) {
  auto a = attributes_of<PadAttributes>(c);
  a.value_bits[0] = low;
  a.value_bits[1] = high;
  c.attributes = words(a);
  c.name += "_bits";
  return c;
}

OpCase with_operand(OpCase c) {
  const Operand& x = c.inputs[0];
  c.inputs.push_back(ranged(tensor({}, x.dtype), x.low, x.high));
  c.name += "_operand";
  return c;
}

struct Range {
  int32_t start, step;
  uint32_t count;
};

OpCase slice(const char* name, Operand x, const std::vector<Range>& ranges) {
  OpCase c;
  c.name = name;
  SliceAttributes a = {};
  for (int32_t& step : a.step) step = 1;
  Operand y = x;
  y.repeated = 0;
  for (size_t d = 0; d < ranges.size(); ++d) {
    a.start[d] = ranges[d].start;
    a.step[d] = ranges[d].step;
    y.dims[d] = ranges[d].count;
  }
  c.attributes = words(a);
  c.inputs = {std::move(x)};
  c.outputs = {std::move(y)};
  return c;
}

}  // namespace

std::vector<OpCase> copy_cases() {
  std::vector<OpCase> cases;
  for (const MovedType& type : kMovedTypes) {
    for (const OpCase& c : {
             copy("dense", tensor({3, 5, 7}), tensor({3, 5, 7})),
             copy("scalar", tensor({}), tensor({})),
             copy("to_channels_last", tensor({2, 5, 3, 4}), channels_last(tensor({2, 5, 3, 4}))),
             copy("from_channels_last", channels_last(tensor({2, 5, 3, 4})), tensor({2, 5, 3, 4})),
             copy("transposed", tensor({6, 9}), ordered(tensor({6, 9}), {1, 0})),
             copy("broadcast", repeated(tensor({3, 4, 5}), 0b101), tensor({3, 4, 5})),
             copy("into_slice", tensor({3, 4, 5}), with_margin(tensor({3, 4, 5}), 2)),
             copy("from_slice", with_margin(tensor({3, 4, 5}), 3), tensor({3, 4, 5})),
             copy("shuffled", ordered(tensor({2, 70, 4}), {0, 2, 1}), tensor({2, 70, 4})),
             copy("shuffled_threes", ordered(tensor({5, 9, 3}), {0, 2, 1}), tensor({5, 9, 3})),
             copy("shuffled_pairs", ordered(tensor({3, 131, 2}), {0, 2, 1}),
                  with_margin(tensor({3, 131, 2}), 3)),
             copy("separated_pairs", ordered(tensor({3, 2, 131}), {0, 2, 1}), tensor({3, 2, 131})),
             copy("shuffled_pixels", ordered(tensor({5, 58, 2}), {0, 2, 1}), tensor({5, 58, 2})),
             copy("shuffled_sevens", ordered(tensor({21, 7}), {1, 0}), tensor({21, 7})),
             copy("rank_8", tensor({2, 1, 2, 3, 1, 2, 2, 3}),
                  ordered(tensor({2, 1, 2, 3, 1, 2, 2, 3}), {3, 1, 7, 0, 2, 6, 5, 4})),
             copy("large", tensor({1, 8, 67, 65}), channels_last(tensor({1, 8, 67, 65}))),
             copy("large_dense", tensor({40013}), tensor({40013})),
             copy("empty", tensor({3, 0, 5}), tensor({3, 0, 5})),
         }) {
      cases.push_back(of_type(c, type));
    }
  }
  // Rows and columns are exchanged: blocks of all sizes, and what is left of both.
  for (const MovedType& type : kMovedTypes) {
    for (const uint32_t rows : {2u, 3u, 4u, 9u, 24u}) {
      for (const uint32_t columns : {4u, 18u, 70u, 147u}) {
        const std::vector<uint32_t> dims = {3, columns, rows};
        const std::string name =
            "exchanged_" + std::to_string(columns) + "x" + std::to_string(rows);
        cases.push_back(
            of_type(copy(name.c_str(), ordered(tensor(dims), {0, 2, 1}), tensor(dims)), type));
        cases.push_back(of_type(copy((name + "_apart").c_str(), ordered(tensor(dims), {2, 0, 1}),
                                     with_margin(tensor(dims), 2)),
                                type));
      }
    }
  }
  return cases;
}

std::vector<Numbers> copy_oracle(const OpCase&, const std::vector<Numbers>& inputs) {
  return {inputs[0]};
}

std::vector<OpCase> concat_cases() {
  std::vector<OpCase> cases;
  for (const MovedType& type : kMovedTypes) {
    for (const OpCase& c : {
             concat("outer", {tensor({2, 3}), tensor({4, 3})}, 0),
             concat("inner", {tensor({3, 2}), tensor({3, 5}), tensor({3, 1})}, 1),
             concat("channels",
                    {channels_last(tensor({1, 3, 4, 5})), channels_last(tensor({1, 6, 4, 5}))}, 1),
             concat("mixed_layouts", {channels_last(tensor({2, 3, 4, 5})), tensor({2, 2, 4, 5})},
                    1),
             concat("middle", {tensor({2, 3, 4}), tensor({2, 1, 4})}, 1),
             concat("one_input", {tensor({2, 3, 4})}, 2),
             concat("with_empty", {tensor({2, 0}), tensor({2, 3}), tensor({2, 0})}, 1),
             concat("all_empty", {tensor({0, 2}), tensor({0, 3})}, 1),
             concat("repeated_input", {repeated(tensor({3, 4}), 1), tensor({3, 2})}, 1),
             concat("rank_8", {tensor({1, 2, 1, 2, 3, 2, 1, 2}), tensor({1, 2, 1, 2, 1, 2, 1, 2})},
                    4),
             concat("large", {tensor({1, 40, 31, 33}), tensor({1, 7, 31, 33})}, 1),
         }) {
      cases.push_back(of_type(c, type));
    }
  }
  std::vector<Operand> many;
  for (uint32_t i = 0; i < 40; ++i) many.push_back(tensor({3, 1 + i % 3}));
  cases.push_back(concat("many_inputs", std::move(many), 1));
  return cases;
}

std::vector<Numbers> concat_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const uint32_t axis = attributes_of<ConcatAttributes>(c).axis;
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    Index index = index_of(y.dims, p);
    size_t i = 0;
    for (; index[axis] >= inputs[i].dims[axis]; ++i) index[axis] -= inputs[i].dims[axis];
    y.values[p] = at(inputs[i], index);
  }
  return {y};
}

std::vector<OpCase> pad_cases() {
  std::vector<OpCase> cases;
  for (const MovedType& type : kMovedTypes) {
    for (const OpCase& c : {
             pad("image", tensor({1, 3, 4, 5}), {0, 0, 1, 2}, {0, 0, 2, 1}),
             pad("channels_last", channels_last(tensor({2, 3, 4, 5})), {0, 1, 0, 2}, {0, 2, 1, 0}),
             pad("crop", tensor({5, 7}), {-1, -2}, {-1, -3}),
             pad("crop_and_grow", tensor({5, 7}), {-2, 3}, {4, -6}),
             pad("nothing", tensor({3, 4}), {0, 0}, {0, 0}),
             pad("scalar", tensor({}), {}, {}),
             pad("shifted_outside", tensor({3, 4}), {5, 0}, {-5, 0}),
             pad("cropped_outside", tensor({3, 4}), {-4, 0}, {6, 0}),
             pad("empty_input", tensor({0, 4}), {2, 1}, {1, 0}),
             pad("empty_result", tensor({3, 4}), {-3, 0}, {0, 0}),
             pad("repeated_input", repeated(tensor({3, 4}), 2), {1, 1}, {1, 1}),
             pad("rank_8", tensor({1, 2, 1, 2, 3, 2, 1, 2}), {1, 0, 0, -1, 1, 0, 1, 0},
                 {0, 0, 1, 1, -1, 0, 0, 1}),
             pad("large", tensor({1, 4, 93, 91}), {0, 0, 3, 3}, {0, 0, 3, 3}),
         }) {
      const OpCase typed = of_type(c, type);
      cases.push_back(typed);
      cases.push_back(with_operand(typed));
    }
  }
  for (const PadMode mode : {PadMode::kEdge, PadMode::kReflect, PadMode::kWrap}) {
    for (const MovedType& type : kMovedTypes) {
      cases.push_back(of_type(
          in_mode(pad("image", channels_last(tensor({1, 3, 4, 5})), {0, 0, 1, 2}, {0, 0, 2, 1}),
                  mode),
          type));
    }
    for (const OpCase& c : {
             pad("far", tensor({4, 3}), {13, 6}, {11, 7}),
             pad("before", tensor({5}), {4}, {0}),
             pad("behind", tensor({5}), {0}, {9}),
             pad("one_element", tensor({1, 2}), {3, 1}, {2, 1}),
             pad("two_elements", tensor({2}), {5}, {4}),
             pad("nothing", tensor({3, 4}), {0, 0}, {0, 0}),
             pad("scalar", tensor({}), {}, {}),
             pad("empty", tensor({0, 4}), {0, 1}, {0, 2}),
             pad("repeated_input", repeated(tensor({3, 4}), 2), {1, 1}, {1, 1}),
             pad("rank_8", tensor({1, 2, 1, 2, 3, 2, 1, 2}), {1, 0, 0, 1, 1, 0, 1, 0},
                 {0, 0, 1, 1, 0, 0, 0, 1}),
             pad("large", tensor({1, 4, 93, 91}), {0, 0, 3, 3}, {0, 0, 3, 3}),
         }) {
      cases.push_back(in_mode(c, mode));
    }
  }
  const OpCase c = pad("value", tensor({3, 4}), {1, 0}, {0, 2});
  cases.push_back(with_bits(c, 0x3fc00000, 0x12345678));                           // 1.5f
  cases.push_back(with_bits(of_type(c, kMovedTypes[1]), 0x12345681, 0x9));         // -127
  cases.push_back(with_bits(of_type(c, kMovedTypes[2]), 0xffffc500, 0));           // -5
  cases.push_back(with_bits(of_type(c, kMovedTypes[3]), 0x89abcdef, 0x81234567));  // all of it
  return cases;
}

// The place in x of the element at `at` of an axis.
int64_t padded_from(PadMode mode, int64_t at, int64_t size) {
  if (mode == PadMode::kEdge) return std::min(std::max<int64_t>(at, 0), size - 1);
  if (mode == PadMode::kWrap) return ((at % size) + size) % size;
  // Step by step from the ends, as a ball between two walls.
  while (at < 0 || at >= size) {
    if (size == 1) return 0;
    at = at < 0 ? -at : 2 * (size - 1) - at;
  }
  return at;
}

std::vector<Numbers> pad_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<PadAttributes>(c);
  const Numbers& x = inputs[0];
  std::byte bits[8];
  std::memcpy(bits, a.value_bits, sizeof(bits));
  const bool given = inputs.size() > 1 && !c.inputs[1].absent;
  const Number value = given ? inputs[1].values[0] : decode(x.dtype, bits);
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    Index index = index_of(y.dims, p);
    bool inside = true;
    for (size_t d = 0; d < index.size(); ++d) {
      int64_t from = int64_t{index[d]} - a.begin[d];
      if (a.mode != PadMode::kValue) from = padded_from(a.mode, from, x.dims[d]);
      inside = inside && from >= 0 && from < x.dims[d];
      index[d] = static_cast<uint32_t>(from);
    }
    y.values[p] = inside ? at(x, index) : value;
  }
  return {y};
}

std::vector<OpCase> slice_cases() {
  std::vector<OpCase> cases;
  for (const MovedType& type : kMovedTypes) {
    for (const OpCase& c : {
             slice("inner_part", tensor({5, 9}), {{1, 1, 3}, {2, 1, 5}}),
             slice("strided", tensor({7, 11}), {{0, 2, 4}, {1, 3, 4}}),
             slice("reversed", tensor({4, 6}), {{3, -1, 4}, {5, -1, 6}}),
             slice("reversed_strided", tensor({4, 13}), {{0, 1, 4}, {12, -5, 3}}),
             slice("channels_last", channels_last(tensor({2, 8, 5, 4})),
                   {{1, -1, 2}, {6, -2, 3}, {0, 2, 3}, {1, 1, 2}}),
             slice("one_element", tensor({4, 6}), {{2, -7, 1}, {5, 100, 1}}),
             slice("scalar", tensor({}), {}),
             slice("repeated_input", repeated(tensor({4, 6}), 1), {{3, -2, 2}, {5, -1, 3}}),
             slice("rank_8", tensor({2, 3, 1, 2, 3, 2, 4, 2}),
                   {{1, -1, 2},
                    {0, 2, 2},
                    {0, 1, 1},
                    {1, 1, 1},
                    {2, -1, 3},
                    {0, 1, 2},
                    {3, -3, 2},
                    {0, 1, 2}}),
             slice("large", tensor({3, 200, 99}), {{2, -1, 3}, {1, 1, 190}, {98, -1, 99}}),
             slice("empty", tensor({4, 6}), {{0, 1, 0}, {0, 1, 6}}),
             slice("empty_beyond", tensor({4, 6}), {{4, 1, 0}, {-1, -1, 0}}),
         }) {
      cases.push_back(of_type(c, type));
    }
  }
  return cases;
}

std::vector<Numbers> slice_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const Numbers& x = inputs[0];
  const auto a = attributes_of<SliceAttributes>(c);
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    Index index = index_of(y.dims, p);
    for (size_t d = 0; d < index.size(); ++d) {
      index[d] = static_cast<uint32_t>(a.start[d] + int64_t{index[d]} * a.step[d]);
    }
    y.values[p] = at(x, index);
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
