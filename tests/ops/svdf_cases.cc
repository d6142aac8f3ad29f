// Cases of svdf: floats, states of 8 and 16 bits, ranks, what saturates, and operands of any
// strides.
#include <algorithm>
#include <string>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"
#include "tests/ops/requantized.h"

namespace arenite::ops_test {
namespace {

struct Sizes {
  uint32_t batch, inputs, rank, units, memory;
};

OpCase svdf(const char* name, const Sizes& n) {
  const uint32_t features = n.rank * n.units;
  OpCase c;
  c.name = name;
  c.tolerance = 1e-4;
  SvdfAttributes attributes = {};
  attributes.rank = n.rank;
  c.attributes = words(attributes);
  c.inputs = {tensor({n.batch, n.inputs}), tensor({features, n.inputs}),
              tensor({features, n.memory}), tensor({n.units}),
              tensor({n.batch, features * n.memory})};
  c.outputs = {tensor({n.batch, n.units}), tensor({n.batch, features * n.memory})};
  return c;
}

// Two multipliers of about 0.7, times these powers of two.
OpCase integers(const char* name, const Sizes& n, DType state, int32_t first, int32_t second) {
  OpCase c = svdf(name, n);
  c.tolerance = 0;
  SvdfAttributes attributes = {};
  attributes.rank = n.rank;
  attributes.x_zero_point = -12;
  attributes.state_zero_point = state == DType::kInt8 ? 5 : 0;
  attributes.multipliers[0] = attributes.multipliers[1] = 1503238554;
  attributes.shifts[0] = first;
  attributes.shifts[1] = second;
  attributes.output = {Rounding::kTfliteDouble, -7, -128, 127};
  c.attributes = words(attributes);
  for (const uint32_t i : {0u, 1u}) c.inputs[i].dtype = DType::kInt8;
  for (const uint32_t i : {2u, 4u}) c.inputs[i].dtype = state;
  c.inputs[3].dtype = DType::kInt32;
  const double most = state == DType::kInt8 ? 127 : 32767;
  for (const uint32_t i : {0u, 1u}) c.inputs[i] = ranged(std::move(c.inputs[i]), -127, 127);
  for (const uint32_t i : {2u, 4u}) c.inputs[i] = ranged(std::move(c.inputs[i]), -most, most);
  c.inputs[3] = ranged(std::move(c.inputs[3]), -5000, 5000);
  c.outputs[0].dtype = DType::kInt8;
  c.outputs[1].dtype = state;
  return c;
}

Number scaled(Number sum, const SvdfAttributes& by, size_t i, const Requantization& output) {
  return finished_product(
      {sum, static_cast<Number>(by.multipliers[i]), static_cast<Number>(by.shifts[i])}, output);
}

}  // namespace

std::vector<OpCase> svdf_cases() {
  std::vector<OpCase> cases = {
      svdf("float", {2, 5, 2, 3, 4}),
      svdf("float_of_one_time", {1, 7, 1, 4, 1}),
      integers("state_of_8_bits", {2, 9, 2, 3, 5}, DType::kInt8, -9, -9),
      integers("state_of_16_bits", {2, 9, 1, 5, 6}, DType::kInt16, -3, -25),
      integers("saturating", {1, 9, 3, 4, 4}, DType::kInt8, -4, -3),
      integers("large", {3, 128, 2, 64, 12}, DType::kInt16, -4, -26),
  };
  // Inputs and times in and beside groups of 2, 4 and 16.
  constexpr Sizes kSizes[] = {{1, 1, 1, 1, 1},   {2, 4, 1, 3, 2},  {1, 6, 2, 9, 3},
                              {1, 7, 3, 7, 4},   {1, 8, 1, 17, 6}, {1, 16, 2, 16, 8},
                              {1, 17, 1, 3, 17}, {1, 33, 1, 5, 32}};
  for (const Sizes& n : kSizes) {
    const std::string name = std::to_string(n.inputs) + "_over_" + std::to_string(n.memory);
    cases.push_back(integers((name + "_of_8_bits").c_str(), n, DType::kInt8, -9, -9));
    cases.push_back(integers((name + "_of_16_bits").c_str(), n, DType::kInt16, -3, -25));
  }
  // A factor of 2 and more, tiny ones, and biases at the ends of their range.
  cases.push_back(integers("enlarging", {1, 6, 2, 4, 3}, DType::kInt8, 2, 31));
  cases.push_back(integers("vanishing", {1, 6, 2, 4, 3}, DType::kInt8, -31, -40));
  OpCase biased = integers("biased", {1, 6, 2, 4, 3}, DType::kInt8, -9, -24);
  biased.inputs[3] = ranged(tensor({4}, DType::kInt32), -2.0e9, 2.0e9);
  cases.push_back(biased);
  OpCase bare = integers("without_bias", {1, 6, 2, 4, 3}, DType::kInt8, -9, -8);
  bare.inputs[3] = absent();
  cases.push_back(bare);
  OpCase strided = integers("strided", {3, 6, 2, 4, 3}, DType::kInt8, -9, -8);
  for (Operand& operand : strided.inputs) {
    if (operand.dims.size() == 2) operand = with_margin(ordered(std::move(operand), {1, 0}), 2);
  }
  for (Operand& operand : strided.outputs) operand = ordered(std::move(operand), {1, 0});
  cases.push_back(strided);
  for (OpCase& c : cases) c.op = Op::kSvdf;
  return cases;
}

std::vector<Numbers> svdf_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto by = attributes_of<SvdfAttributes>(c);
  const bool floats = c.inputs[0].dtype == DType::kFloat32;
  const DType state = c.inputs[4].dtype;
  Numbers y = blank_output(c, 0), next = blank_output(c, 1);
  const uint32_t memory = c.inputs[2].dims[1];
  for (uint32_t b = 0; b < y.dims[0]; ++b) {
    for (uint32_t f = 0; f < c.inputs[1].dims[0]; ++f) {
      Number product = 0;
      for (uint32_t i = 0; i < c.inputs[0].dims[1]; ++i) {
        product += at(inputs[1], {f, i}) * (at(inputs[0], {b, i}) - by.x_zero_point);
      }
      if (floats) {
        product = nearest(state, product);
      } else {
        product =
            scaled(product, by, 0,
                   {by.output.rounding, by.state_zero_point, static_cast<int32_t>(lowest_of(state)),
                    static_cast<int32_t>(highest_of(state))});
      }
      for (uint32_t m = 0; m < memory; ++m) {
        const bool last = m + 1 == memory;
        next.values[position_of(next.dims, Index{b, f * memory + m})] =
            last ? product : at(inputs[4], {b, f * memory + m + 1});
      }
    }
    for (uint32_t u = 0; u < y.dims[1]; ++u) {
      Number sum = c.inputs[3].absent ? 0 : inputs[3].values[u];
      for (uint32_t f = u * by.rank; f < (u + 1) * by.rank; ++f) {
        for (uint32_t m = 0; m < memory; ++m) {
          sum += at(inputs[2], {f, m}) * (at(next, {b, f * memory + m}) - by.state_zero_point);
        }
      }
      Number& to = y.values[position_of(y.dims, Index{b, u})];
      to = floats ? nearest(DType::kFloat32, sum)
                  : scaled(wrapped(DType::kInt32, sum), by, 1, by.output);
    }
  }
  return {y, next};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
