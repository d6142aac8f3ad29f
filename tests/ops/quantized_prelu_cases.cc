// Cases of quantized_prelu: every type and rule, a slope for each channel.
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"
#include "tests/ops/quantized_cases.h"
#include "tests/ops/wide.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

OpCase prelu(std::string name, const Dims& dims, DType type, Rounding rounding) {
  QuantizedPReluAttributes by = {};
  by.zero_points[0] = zero_point_of(type);
  by.zero_points[1] = type == DType::kInt16 ? 0 : type == DType::kUint8 ? 7 : 127;
  by.multipliers[0] = 0x5fffffff;
  by.shifts[0] = 1;
  by.multipliers[1] = 0x6b8f2d11;
  by.shifts[1] = type == DType::kInt16 ? -15 : -7;
  return pair_case(std::move(name), dims, type, rounding, by);
}

}  // namespace

std::vector<OpCase> quantized_prelu_cases() {
  std::vector<OpCase> cases = cases_of_pairs(prelu, 0b1101);
  // Factors of 1 and more, tiny ones, powers of two, and numbers of y within limits.
  uint32_t count = 9;
  for (const DType type : {DType::kInt8, DType::kUint8, DType::kInt16}) {
    const char* name = type == DType::kInt8    ? "int8_of_"
                       : type == DType::kUint8 ? "uint8_of_"
                                               : "int16_of_";
    for (const Rounding rounding : {Rounding::kTfliteDouble, Rounding::kHalfEven}) {
      for (const int32_t shift : {-40, -32, -31, -23, -22, -7, -1, 0, 2, 13, 14, 20, 21, 31}) {
        OpCase c = prelu(name + std::to_string(count), {2, count % 9 + 5}, type, rounding);
        auto by = attributes_of<QuantizedPReluAttributes>(c);
        by.shifts[count % 2] = shift;
        if (count % 3 == 0) by.multipliers[count % 2] = 1 << 30;
        if (count % 4 == 0) by.output.low += 30;
        if (count % 5 == 0) by.output.zero_point = by.output.high;
        c.attributes = words(by);
        cases.push_back(c);
        ++count;
      }
    }
  }
  cases.push_back(prelu("large_even", {1, 3, 40, 64}, DType::kUint8, Rounding::kHalfEven));
  cases.push_back(prelu("large_int16", {1, 3, 40, 64}, DType::kInt16, Rounding::kTfliteDouble));
  return cases;
}

std::vector<Numbers> quantized_prelu_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto by = attributes_of<QuantizedPReluAttributes>(c);
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const auto number = static_cast<int32_t>(inputs[0].values[p]) - by.zero_points[0];
    const auto slope = static_cast<int32_t>(inputs[1].values[p]) - by.zero_points[1];
    const uint32_t i = number < 0 ? 1u : 0u;
    y.values[p] = finished_by_definition(number < 0 ? number * slope : number, by.multipliers[i],
                                         by.shifts[i], by.output);
  }
  return {y};
}

}  // namespace arenite::ops_test

// SPDX-License-Identifier: Apache-2.0
