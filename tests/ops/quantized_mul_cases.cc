// Cases of quantized_mul: every type and rule, operands that are repeated.
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"
#include "tests/ops/quantised_cases.h"
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
  by.output = whole_range(rounding, type, type == DType::kUint8 ? 30 : 2);
  OpCase c;
  c.name = std::move(name);
  c.attributes = words(by);
  c.inputs = {any_of_type(dims, type), any_of_type(dims, type)};
  c.outputs = {tensor(dims, type)};
  return c;
}

}  // namespace

std::vector<OpCase> quantized_mul_cases() {
  std::vector<OpCase> cases;
  for (const NamedType& type : kActivationTypes) {
    for (const NamedRounding& rounding : kRoundings) {
      cases.push_back(mul(std::string(type.name) + "_" + rounding.name, {3, 5, 41}, type.dtype,
                          rounding.rounding));
    }
  }
  OpCase images = mul("images", {2, 3, 7, 5}, DType::kInt8, Rounding::kTfliteDouble);
  for (Operand* operand : {&images.inputs[0], &images.inputs[1], &images.outputs[0]}) {
    *operand = channels_last(std::move(*operand));
  }
  images.inputs[1].repeated = 0b1100;
  cases.push_back(images);
  cases.push_back(mul("scalar", {}, DType::kUint8, Rounding::kHalfEven));
  cases.push_back(mul("empty", {0, 3}, DType::kUint8, Rounding::kHalfEven));
  cases.push_back(mul("large", {1, 3, 40, 64}, DType::kInt8, Rounding::kTfliteDouble));
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
