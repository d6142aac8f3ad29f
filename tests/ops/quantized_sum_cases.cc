// Cases of quantized_sum: axes, every type and rule.
#include <string>
#include <tuple>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"
#include "tests/ops/quantized_cases.h"
#include "tests/ops/wide.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

OpCase sum(std::string name, const Operand& x, uint32_t axes, Rounding rounding) {
  uint32_t count = 1;
  Operand y = tensor(x.dims, x.dtype);
  for (uint32_t d = 0; d < x.dims.size(); ++d) {
    if ((axes >> d & 1u) == 0) continue;
    count *= std::max(x.dims[d], 1u);
    y.dims[d] = 1;
  }
  QuantizedSumAttributes by = {};
  by.axes = axes;
  by.x_zero_point = zero_point_of(x.dtype);
  by.multiplier = static_cast<int32_t>(0x7fffffffu / count);  // a mean, of a smaller scale
  by.shift = 2;
  by.output = whole_range(rounding, x.dtype, x.dtype == DType::kUint8 ? 130 : 5);
  OpCase c;
  c.name = std::move(name);
  c.attributes = words(by);
  c.inputs = {x};
  c.outputs = {y};
  return c;
}

}  // namespace

std::vector<OpCase> quantized_sum_cases() {
  const auto even = Rounding::kHalfEven;
  std::vector<OpCase> cases;
  for (const NamedType& type : kActivationTypes) {
    for (const NamedRounding& rounding : kRoundings) {
      cases.push_back(sum(std::string("inner_") + type.name + "_" + rounding.name,
                          any_of_type({3, 5, 41}, type.dtype), 0b100, rounding.rounding));
    }
    cases.push_back(sum(std::string("outer_") + type.name, any_of_type({7, 5, 18}, type.dtype),
                        0b011, Rounding::kTfliteDouble));
  }
  cases.push_back(sum("pixels", channels_last(any_of_type({2, 19, 7, 5}, DType::kInt8)), 0b1100,
                      Rounding::kTfliteDouble));
  // More than 255 elements, in rows and side by side; fewer results than a word has bytes.
  for (const DType type : {DType::kInt8, DType::kUint8}) {
    const std::string name = type == DType::kInt8 ? "pixels_of_words" : "pixels_of_words_uint8";
    cases.push_back(sum(name, channels_last(any_of_type({2, 24, 9, 7}, type)), 0b1100, even));
    cases.push_back(sum("many_" + name, channels_last(any_of_type({1, 12, 50, 43}, type)), 0b1100,
                        Rounding::kTfliteDouble));
  }
  cases.push_back(sum("long_rows", any_of_type({2, 4611}, DType::kInt8), 0b10, even));
  cases.push_back(sum("long_columns", any_of_type({600, 21}, DType::kUint8), 0b01, even));
  cases.push_back(sum("few_columns", any_of_type({300, 3}, DType::kInt8), 0b01, even));
  cases.push_back(sum("both_sides", any_of_type({5, 18, 7}, DType::kUint8), 0b101, even));
  for (const auto& [name, dims, axes] :
       std::vector<std::tuple<std::string, Dims, uint32_t>>{{"long_rows", {2, 4611}, 0b10},
                                                            {"long_columns", {600, 21}, 0b01},
                                                            {"few_columns", {300, 3}, 0b01},
                                                            {"column", {300, 1}, 0b01},
                                                            {"both_sides", {5, 18, 7}, 0b101},
                                                            {"all", {3, 5, 4}, 0b111},
                                                            {"none", {3, 5, 4}, 0},
                                                            {"scalar", {}, 0},
                                                            {"of_nothing", {3, 0}, 0b10}}) {
    cases.push_back(sum(name + "_int16", any_of_type(dims, DType::kInt16), axes, even));
  }
  cases.push_back(sum("pixels_int16", channels_last(any_of_type({2, 19, 7, 5}, DType::kInt16)),
                      0b1100, Rounding::kTfliteDouble));
  cases.push_back(sum("all", any_of_type({3, 5, 4}, DType::kInt8), 0b111, even));
  cases.push_back(sum("none", any_of_type({3, 5, 4}, DType::kUint8), 0, even));
  cases.push_back(sum("scalar", any_of_type({}, DType::kInt8), 0, even));
  cases.push_back(sum("of_nothing", any_of_type({3, 0}, DType::kInt8), 0b10, even));
  cases.push_back(sum("empty", any_of_type({0, 3}, DType::kInt8), 0b10, even));
  for (const DType type : {DType::kInt8, DType::kInt16}) {
    cases.push_back(sum(type == DType::kInt8 ? "large" : "large_int16",
                        any_of_type({40, 30, 30}, type), 0b100, even));
  }
  return cases;
}

std::vector<Numbers> quantized_sum_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto by = attributes_of<QuantizedSumAttributes>(c);
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < inputs[0].values.size(); ++p) {
    Index index = index_of(inputs[0].dims, p);
    for (uint32_t d = 0; d < index.size(); ++d) {
      if ((by.axes >> d & 1u) != 0) index[d] = 0;
    }
    y.values[position_of(y.dims, index)] += inputs[0].values[p] - by.x_zero_point;
  }
  for (Number& value : y.values) {
    value = finished_by_definition(static_cast<int32_t>(value), by.multiplier, by.shift, by.output);
  }
  return {y};
}

}  // namespace arenite::ops_test

// SPDX-License-Identifier: Apache-2.0
