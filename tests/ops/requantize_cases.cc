// Cases of requantize: between types, each rule, what saturates.
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"
#include "tests/ops/quantized_cases.h"
#include "tests/ops/wide.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

OpCase requantize(std::string name, const Dims& dims, DType from, DType to,
                  const RequantizeAttributes& attributes) {
  OpCase c;
  c.name = std::move(name);
  c.attributes = words(attributes);
  c.inputs = {any_of_type(dims, from)};
  c.outputs = {tensor(dims, to)};
  return c;
}

}  // namespace

std::vector<OpCase> requantize_cases() {
  const Dims dims = {3, 5, 41};
  std::vector<OpCase> cases;
  for (const NamedRounding& rounding : kRoundings) {
    const auto add = [&](const char* name, DType from, DType to, int32_t x_zero_point,
                         int32_t multiplier, int32_t shift, int32_t zero_point) {
      cases.push_back(requantize(
          std::string(name) + "_" + rounding.name, dims, from, to,
          {x_zero_point, multiplier, shift, whole_range(rounding.rounding, to, zero_point)}));
    };
    add("int8_int8", DType::kInt8, DType::kInt8, -7, 0x5a82799a, 0, 12);
    add("halves", DType::kInt8, DType::kInt8, 3, 1 << 30, -1, 0);
    add("uint8_int8", DType::kUint8, DType::kInt8, 128, 1 << 30, 1, 0);
    add("int8_int16", DType::kInt8, DType::kInt16, 5, 0x60000001, 9, 0);
    add("int16_uint8", DType::kInt16, DType::kUint8, 0, 0x70000003, -8, 131);
    add("uint16_int16", DType::kUint16, DType::kInt16, 40000, 0x7fffffff, 0, 0);
    add("int32_uint16", DType::kInt32, DType::kUint16, -1000, 0x43219876, -14, 33000);
    add("int32_int32", DType::kInt32, DType::kInt32, 0, 0x5fffffff, 0, 0);
    add("int32_int32_up", DType::kInt32, DType::kInt32, 77, 0x7ffffffe, 5, -1000);
    add("int32_int32_down", DType::kInt32, DType::kInt32, 0, 0x40000001, -27, 3);
    add("int8_int32", DType::kInt8, DType::kInt32, 0, 0x43219876, 27, -5);
  }
  // Factors above 1 and tiny ones, limits, both types, and lengths in and beside groups of four.
  const auto add_bytes = [&](const char* name, DType from, DType to, int32_t multiplier,
                             int32_t shift, uint32_t count) {
    const bool is_signed = to == DType::kInt8;
    cases.push_back(requantize(name, {count}, from, to,
                               {from == DType::kInt8 ? -17 : 90,
                                multiplier,
                                shift,
                                {Rounding::kTfliteDouble, is_signed ? -9 : 40, is_signed ? -100 : 3,
                                 is_signed ? 99 : 240}}));
  };
  add_bytes("bytes_enlarged", DType::kInt8, DType::kUint8, 0x47654321, 4, 257);
  add_bytes("bytes_far_enlarged", DType::kUint8, DType::kInt8, 0x47654321, 31, 258);
  add_bytes("bytes_shrunk", DType::kInt8, DType::kInt8, 0x40000000, -3, 259);
  add_bytes("bytes_vanishing", DType::kUint8, DType::kUint8, 0x7fffffff, -40, 260);
  add_bytes("bytes_at_halves", DType::kUint8, DType::kUint8, 0x40000000, 0, 3);
  add_bytes("bytes_many", DType::kInt8, DType::kInt8, 0x5a82799a, 0, 9000);
  // The same of int16.
  uint32_t count = 1;
  for (const int32_t shift : {0, 1, 4, 16, 31, -1, -3, -15, -16, -31, -32, -40}) {
    for (const int32_t multiplier : {1 << 30, 0x5a82799a, 0x7fffffff}) {
      cases.push_back(requantize("int16_of_" + std::to_string(count), {count}, DType::kInt16,
                                 DType::kInt16,
                                 {0,
                                  multiplier,
                                  shift,
                                  {Rounding::kTfliteDouble, count % 3 == 0 ? 40 : 0,
                                   count % 2 == 0 ? -32768 : -900, 32767}}));
      ++count;
    }
  }
  // To 8 bits and back.
  for (const int32_t shift : {0, 5, 16, 31, -1, -8, -15, -31, -40}) {
    for (const DType type : {DType::kInt8, DType::kUint8}) {
      const std::string suffix =
          (type == DType::kInt8 ? "int8" : "uint8") + ("_of_" + std::to_string(count));
      const int32_t byte = type == DType::kInt8 ? -7 : 130;
      const int32_t wide = count % 4 == 0 ? 40 : 0;
      cases.push_back(
          requantize("int16_to_" + suffix, {count}, DType::kInt16, type,
                     {wide, 0x5a82799a, shift, whole_range(Rounding::kTfliteDouble, type, byte)}));
      cases.push_back(requantize(
          "int16_from_" + suffix, {count}, type, DType::kInt16,
          {byte, 0x7fffffff, shift, whole_range(Rounding::kTfliteDouble, DType::kInt16, wide)}));
      ++count;
    }
  }
  OpCase relu = requantize("limits", dims, DType::kInt8, DType::kInt8,
                           {-7, 0x5a82799a, 1, {Rounding::kHalfEven, 12, 12, 90}});
  cases.push_back(relu);
  cases.push_back(requantize("scalar", {}, DType::kUint8, DType::kUint8,
                             {9, 1 << 30, 0, whole_range(Rounding::kHalfEven, DType::kUint8, 3)}));
  cases.push_back(requantize("empty", {2, 0}, DType::kUint8, DType::kUint8,
                             {9, 1 << 30, 0, whole_range(Rounding::kHalfEven, DType::kUint8, 3)}));
  const auto add_large = [&](const char* name, DType from, DType to) {
    cases.push_back(requantize(name, {1, 3, 40, 64}, from, to,
                               {0, 0x5a82799a, 0, whole_range(Rounding::kTfliteDouble, to, 0)}));
  };
  add_large("large_int16", DType::kInt16, DType::kInt16);
  add_large("large_int16_to_int8", DType::kInt16, DType::kInt8);
  add_large("large_int16_from_int8", DType::kInt8, DType::kInt16);
  relu.name = "large";
  relu.inputs[0].dims = relu.outputs[0].dims = {1, 3, 40, 64};
  cases.push_back(relu);
  return cases;
}

std::vector<Numbers> requantize_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto by = attributes_of<RequantizeAttributes>(c);
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const auto number =
        static_cast<int32_t>(wrapped(DType::kInt32, inputs[0].values[p] - by.x_zero_point));
    y.values[p] = finished_by_definition(number, by.multiplier, by.shift, by.output);
  }
  return {y};
}

}  // namespace arenite::ops_test

// SPDX-License-Identifier: Apache-2.0
