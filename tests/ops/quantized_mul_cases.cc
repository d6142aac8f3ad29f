// Cases of quantized_mul: every type and rule, operands that are repeated.
#include <string>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"
#include "tests/ops/quantized_cases.h"
#include "tests/ops/wide.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

OpCase mul(std::string name, const Dims& dims, DType type, Rounding rounding) {
  QuantizedMulAttributes by = {};
  by.zero_points[0] = zero_point_of(type);
  by.zero_points[1] = type == DType::kInt16 ? 0 : type == DType::kUint8 ? 7 : 127;
  by.multiplier = 0x6b8f2d11;
  by.shift = type == DType::kInt16 ? -15 : -7;
  return pair_case(std::move(name), dims, type, rounding, by);
}

}  // namespace

std::vector<OpCase> quantized_mul_cases() {
  std::vector<OpCase> cases = cases_of_pairs(mul, 0b1100);
  // Factors of 1 and more, tiny ones, and lengths in and beside groups of four.
  uint32_t count = 12;
  for (const DType type : {DType::kInt8, DType::kUint8, DType::kInt16, DType::kInt16}) {
    for (const int32_t shift : {0, 5, 31, -1, -12, -15, -16, -40}) {
      OpCase c = mul(std::string(type == DType::kInt16  ? "int16"
                                 : type == DType::kInt8 ? "int8"
                                                        : "uint8") +
                         "_of_" + std::to_string(count) + (shift < 0 ? "_shrunk" : ""),
                     {count}, type, Rounding::kTfliteDouble);
      auto by = attributes_of<QuantizedMulAttributes>(c);
      by.shift = shift;
      c.attributes = words(by);
      cases.push_back(c);
      ++count;
    }
  }
  // Results of 8 bits and the whole range that are divided by up to 2^22, which small cores add
  // zero points to before, and by more; by powers of two many are halves.
  for (const DType type : {DType::kInt8, DType::kUint8}) {
    for (const int32_t multiplier : {0x6b8f2d11, 1 << 30}) {
      for (const int32_t shift : {0, -1, -4, -7, -9, -22, -23}) {
        OpCase c = mul("bytes_divided_of_" + std::to_string(count), {3, count % 19 + 5}, type,
                       Rounding::kTfliteDouble);
        auto by = attributes_of<QuantizedMulAttributes>(c);
        by.multiplier = multiplier;
        by.shift = shift;
        by.output.low = static_cast<int32_t>(lowest_of(type));
        by.output.high = static_cast<int32_t>(highest_of(type));
        if (count % 4 == 0) by.output.zero_point = by.output.low;
        if (count % 4 == 1) by.output.zero_point = by.output.high;
        if (count % 5 == 0) by.output.high -= 3;
        // Where results differ.
        const bool varies = shift <= -7 && shift > -22 && count % 4 > 1;
        if (varies) c.inputs[1].repeated = count % 2 == 0 ? 0b01 : 0b10;
        c.attributes = words(by);
        cases.push_back(c);
        ++count;
      }
    }
  }
  for (const uint32_t repeated : {0b0000u, 0b0001u, 0b1100u, 0b1111u}) {
    OpCase c = mul("int16_images" + std::to_string(repeated), {2, 3, 7, 5}, DType::kInt16,
                   Rounding::kTfliteDouble);
    auto by = attributes_of<QuantizedMulAttributes>(c);
    by.shift = 0;
    c.attributes = words(by);
    c.inputs[1].repeated = repeated;
    cases.push_back(c);
    c.name += "_channels_last";
    c.inputs[0] = channels_last(std::move(c.inputs[0]));
    c.outputs[0] = channels_last(std::move(c.outputs[0]));
    cases.push_back(c);
  }
  // Products that are rounded once, of every divisor that 32 bits reach and those beside them,
  // whose halves are exact where the multiplier is a power of two.
  for (const DType type : {DType::kInt8, DType::kUint8}) {
    for (const int32_t multiplier : {0x6b8f2d11, 1 << 30}) {
      for (const int32_t shift : {-40, -33, -32, -31, -9, -7, -6, -3, -2, -1, 0, 1, 13, 14, 31}) {
        OpCase c =
            mul((type == DType::kInt8 ? "int8_even_of_" : "uint8_even_of_") + std::to_string(count),
                {count % 7 + 9}, type, Rounding::kHalfEven);
        auto by = attributes_of<QuantizedMulAttributes>(c);
        by.multiplier = multiplier;
        by.shift = shift;
        if (count % 3 == 0) by.output.high -= 20;
        c.attributes = words(by);
        cases.push_back(c);
        ++count;
      }
    }
  }
  for (const DType type : {DType::kInt8, DType::kUint8}) {
    for (const int32_t multiplier : {0, 0x6b8f2d11, 1 << 30, INT32_MAX}) {
      for (const int32_t shift : {-63, -40, -15, -9, -7, -1, 0, 14, 31}) {
        OpCase c = mul(
            (type == DType::kInt8 ? "int8_float_of_" : "uint8_float_of_") + std::to_string(count),
            {count % 7 + 9}, type, Rounding::kFloat32);
        auto by = attributes_of<QuantizedMulAttributes>(c);
        by.multiplier = multiplier;
        by.shift = shift;
        if (count % 3 == 0) by.output.low += 20;
        c.attributes = words(by);
        cases.push_back(c);
        ++count;
      }
    }
  }
  cases.push_back(mul("large_float", {1, 3, 40, 64}, DType::kUint8, Rounding::kFloat32));
  for (const uint32_t repeated : {0b0000u, 0b0001u, 0b0011u, 0b1100u, 0b1111u}) {
    for (uint32_t i = 0; i < 2; ++i) {
      OpCase c = mul("even_images" + std::to_string(repeated) + "_" + std::to_string(i),
                     {2, 3, 7, 5}, i == 0 ? DType::kInt8 : DType::kUint8, Rounding::kHalfEven);
      c.inputs[i].repeated = repeated;
      cases.push_back(c);
      c.name += "_channels_last";
      for (Operand* operand : {&c.inputs[0], &c.inputs[1], &c.outputs[0]}) {
        *operand = channels_last(std::move(*operand));
      }
      cases.push_back(c);
    }
  }
  cases.push_back(mul("large_even", {1, 3, 40, 64}, DType::kInt8, Rounding::kHalfEven));
  cases.push_back(mul("large_int16", {1, 3, 40, 64}, DType::kInt16, Rounding::kTfliteDouble));
  return cases;
}

std::vector<Numbers> quantized_mul_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto by = attributes_of<QuantizedMulAttributes>(c);
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Number product =
        (inputs[0].values[p] - by.zero_points[0]) * (inputs[1].values[p] - by.zero_points[1]);
    y.values[p] =
        finished_by_definition(static_cast<int32_t>(product), by.multiplier, by.shift, by.output);
  }
  return {y};
}

}  // namespace arenite::ops_test

// SPDX-License-Identifier: Apache-2.0
