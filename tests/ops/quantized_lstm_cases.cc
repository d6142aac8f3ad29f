// Cases of quantized_lstm: sizes, steps of time, a limited cell, what saturates, any strides.
#include <algorithm>
#include <cmath>
#include <string>

#include "ops/quantized_lstm.h"
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"
#include "tests/ops/requantized.h"

namespace arenite::ops_test {
namespace {

struct Sizes {
  uint32_t steps, batch, inputs, hidden;
};

std::vector<Number> logistic_at_24ths() {
  std::vector<Number> table;
  for (uint32_t i = 0; i < kLstmTableSize; ++i) {
    table.push_back(std::min(65535.0L, std::round(65536 / (1 + std::exp(-Number(i) / 24)))));
  }
  return table;
}

// Multipliers of about 0.7 times these powers of two: of inputs, of states, of the cell's two and
// of the result.
OpCase lstm(const char* name, const Sizes& n, int32_t of_x = -1, int32_t of_h = -2) {
  QuantizedLstmAttributes by = {};
  by.x_zero_point = -10;
  constexpr int32_t kFactor = 1503238553;
  for (uint32_t g = 0; g < kLstmGates; ++g) {
    by.w_multipliers[g] = kFactor + static_cast<int32_t>(g) * 1234567;
    by.r_multipliers[g] = kFactor - static_cast<int32_t>(g) * 7654321;
    by.w_shifts[g] = of_x;
    by.r_shifts[g] = of_h;
  }
  by.cell_multipliers[0] = 1 << 30;
  by.cell_shifts[0] = -14;  // 2^-15
  by.cell_multipliers[1] = 1 << 30;
  by.cell_shifts[1] = -17;  // 2^-18: 12 fraction bits
  by.h_multiplier = kFactor;
  by.h_shift = -22;
  by.tanh_multiplier = 3;
  by.output = {Rounding::kTfliteDouble, 4, -128, 127};
  OpCase c;
  c.name = name;
  c.attributes = words(by);
  const uint32_t h = n.hidden;
  c.inputs = {ranged(tensor({n.steps, n.batch, n.inputs}, DType::kInt8), -128, 127),
              ranged(tensor({kLstmGates, h, n.inputs}, DType::kInt8), -127, 127),
              ranged(tensor({kLstmGates, h, h}, DType::kInt8), -127, 127),
              ranged(tensor({kLstmGates, h}, DType::kInt32), -3000, 3000),
              ranged(tensor({n.batch, h}, DType::kInt8), -128, 127),
              ranged(tensor({n.batch, h}, DType::kInt16), -32768, 32767),
              with_values(tensor({kLstmTableSize}, DType::kUint16), logistic_at_24ths())};
  c.outputs = {tensor({n.steps, n.batch, h}, DType::kInt8), tensor({n.batch, h}, DType::kInt8),
               tensor({n.batch, h}, DType::kInt16)};
  return c;
}

OpCase with(OpCase c, const char* name, int32_t tanh_multiplier, int32_t tanh_shift,
            int32_t cell_clip) {
  auto by = attributes_of<QuantizedLstmAttributes>(c);
  by.tanh_multiplier = tanh_multiplier;
  by.tanh_shift = tanh_shift;
  by.cell_clip = cell_clip;
  c.name = name;
  c.attributes = words(by);
  return c;
}

Number limited(Number value, Number low, Number high) {
  return std::min(std::max(value, low), high);
}
Number in_16_bits(Number value) { return limited(value, -32768, 32767); }

// The entry at place / 2^bits, and what lies between, times 2^bits.
Number interpolated(const Numbers& table, Number place, Number part) {
  const Number whole = std::floor(place / part);
  const auto i = static_cast<size_t>(whole);
  const Number low = table.values[i], high = table.values[i + 1];
  return low * part + (place - whole * part) * (high - low);
}

Number logistic(const Numbers& table, Number x) {
  const Number place = std::abs(3 * x);
  const Number result = place >= 255 * 512 ? 32767.0L * 1024 : interpolated(table, place, 512);
  return std::floor((x >= 0 ? result + 512 : 33554432 - result + 511) / 1024);
}

Number hyperbolic_tangent(const Numbers& table, Number x, Number multiplier, Number shift) {
  const Number part = std::exp2(shift);
  const Number scaled = std::floor((x * multiplier + std::floor(part / 2)) / part);
  const Number place = std::abs(scaled);
  const Number result = place >= 255 * 256 ? 65535.0L * 256 : interpolated(table, place, 256);
  const Number moved = result - 8388608;
  return std::floor((scaled >= 0 ? moved + 128 : 127 - moved) / 256);
}

Number scaled(Number sum, int32_t multiplier, int32_t shift, const Requantization& output) {
  return finished_product({sum, static_cast<Number>(multiplier), static_cast<Number>(shift)},
                          output);
}

}  // namespace

std::vector<OpCase> quantized_lstm_cases() {
  const OpCase plain = lstm("plain", {3, 2, 5, 4});
  std::vector<OpCase> cases = {
      plain,
      lstm("one_unit", {1, 1, 1, 1}),
      lstm("saturating", {4, 1, 7, 3}, 4, 3),
      lstm("mild", {5, 2, 9, 6}, -4, -4),
      lstm("large", {4, 3, 40, 24}, -5, -5),
      with(plain, "clipped", 3, 0, 2000),
      with(plain, "fine_cell", 3, 3, 0),
      with(plain, "coarse_cell", 48, 0, 0),
  };
  // Inputs and units in and beside groups of 4, 8 and 16.
  constexpr Sizes kSizes[] = {{2, 1, 4, 2},  {2, 1, 6, 3},   {2, 2, 7, 5},   {2, 1, 8, 8},
                              {2, 1, 15, 9}, {2, 1, 16, 16}, {2, 1, 17, 17}, {3, 1, 31, 33}};
  for (const Sizes& n : kSizes) {
    const std::string name = std::to_string(n.inputs) + "_to_" + std::to_string(n.hidden);
    cases.push_back(lstm(name.c_str(), n, -3, -4));
  }
  // A factor of 2 and more, tiny ones, and biases at the ends of their range.
  cases.push_back(lstm("enlarging", {2, 1, 5, 4}, 12, 31));
  cases.push_back(lstm("vanishing", {2, 1, 5, 4}, -31, -40));
  OpCase biased = lstm("biased", {2, 1, 5, 4}, -12, -3);
  biased.inputs[kLstmBias] = ranged(tensor({kLstmGates, 4}, DType::kInt32), -2.0e9, 2.0e9);
  cases.push_back(biased);
  OpCase strided = lstm("strided", {3, 2, 5, 4});
  for (Operand& operand : strided.inputs) operand = with_margin(std::move(operand), 1);
  strided.inputs[kLstmX] = ordered(std::move(strided.inputs[kLstmX]), {1, 0, 2});
  strided.inputs[kLstmW] = ordered(std::move(strided.inputs[kLstmW]), {2, 0, 1});
  strided.inputs[kLstmR] = ordered(std::move(strided.inputs[kLstmR]), {1, 2, 0});
  strided.outputs[0] = ordered(std::move(strided.outputs[0]), {1, 0, 2});
  cases.push_back(strided);
  for (OpCase& c : cases) c.op = Op::kQuantizedLstm;
  return cases;
}

std::vector<Numbers> quantized_lstm_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto by = attributes_of<QuantizedLstmAttributes>(c);
  const Requantization wide = {by.output.rounding, 0, -32768, 32767};
  Numbers y = blank_output(c, 0), h = blank_output(c, 1), cell = blank_output(c, 2);
  h.values = inputs[kLstmH].values;
  cell.values = inputs[kLstmC].values;
  const Numbers& table = inputs[kLstmTable];
  for (uint32_t t = 0; t < y.dims[0]; ++t) {
    const Numbers before = h;
    for (uint32_t b = 0; b < h.dims[0]; ++b) {
      for (uint32_t k = 0; k < h.dims[1]; ++k) {
        Number gates[kLstmGates];
        for (uint32_t g = 0; g < kLstmGates; ++g) {
          Number of_x = at(inputs[kLstmBias], {g, k}), of_h = 0;
          for (uint32_t i = 0; i < c.inputs[kLstmX].dims[2]; ++i) {
            of_x +=
                at(inputs[kLstmW], {g, k, i}) * (at(inputs[kLstmX], {t, b, i}) - by.x_zero_point);
          }
          for (uint32_t i = 0; i < h.dims[1]; ++i) {
            of_h += at(inputs[kLstmR], {g, k, i}) * (at(before, {b, i}) - by.output.zero_point);
          }
          const Number sum = scaled(of_x, by.w_multipliers[g], by.w_shifts[g], wide) +
                             scaled(of_h, by.r_multipliers[g], by.r_shifts[g], wide);
          gates[g] = g == 2 ? hyperbolic_tangent(table, in_16_bits(sum), 3, 0)
                            : logistic(table, in_16_bits(sum));
        }
        Number& kept = cell.values[position_of(cell.dims, Index{b, k})];
        kept = in_16_bits(
            scaled(gates[1] * kept, by.cell_multipliers[0], by.cell_shifts[0], wide) +
            scaled(gates[0] * gates[2], by.cell_multipliers[1], by.cell_shifts[1], wide));
        if (by.cell_clip != 0) kept = limited(kept, -by.cell_clip, by.cell_clip);
        const Number bent = hyperbolic_tangent(table, kept, static_cast<Number>(by.tanh_multiplier),
                                               static_cast<Number>(by.tanh_shift));
        const Number result = scaled(bent * gates[3], by.h_multiplier, by.h_shift, by.output);
        h.values[position_of(h.dims, Index{b, k})] = result;
        y.values[position_of(y.dims, Index{t, b, k})] = result;
      }
    }
  }
  return {y, h, cell};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
