// Operands of quantized convolutions and matrix products, and their sums' results.
#include "tests/ops/quantized.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tests/ops/oracle.h"
#include "tests/ops/requantized.h"

namespace arenite::ops_test {
namespace {

const char* word_of(DType type) {
  return std::find_if(std::begin(kAllTypes), std::end(kAllTypes),
                      [type](const NamedType& named) { return named.dtype == type; })
      ->name;
}

double range_of(DType type) { return element_bytes(type) == 1 ? 256 : 65536; }

}  // namespace

std::string name_of(const QuantizedTypes& types) {
  return std::string(word_of(types.x)) + "_" + word_of(types.w) + "_" + word_of(types.y);
}

Operand whole_range(Operand operand) {
  return ranged(operand, static_cast<double>(lowest_of(operand.dtype)),
                static_cast<double>(highest_of(operand.dtype)));
}

OpCase with_bias_of_32_bits(OpCase c) {
  c.name += "_bias32";
  Operand& bias = c.inputs[kBiasInput];
  bias.dtype = DType::kInt32;
  if (bias.high > 0x1p30) bias = whole_range(bias);
  bias.specials = {0x7fffffffL, -0x80000000L, 0};
  return c;
}

OpCase wrapping_ends(OpCase c) {
  c = with_bias_of_32_bits(std::move(c));
  c.inputs[kShiftsInput].specials = {-2, -3, -31};
  return c;
}

OpCase wrapping_any(OpCase c) {
  c = with_bias_of_32_bits(std::move(c));
  c.name += "_any";
  c.inputs[kShiftsInput].specials = {-1, 0, 2, -32, -40};
  return c;
}

Requantization output_of(DType y, Rounding rounding) {
  const auto low = static_cast<int32_t>(lowest_of(y));
  const auto high = static_cast<int32_t>(highest_of(y));
  return {rounding, y == DType::kUint8 ? 119 : 7, low + 5, high - 9};
}

void add_ends(OpCase& c, const QuantizedTypes& types, const std::vector<uint32_t>& ends,
              uint64_t count) {
  // Deviations of uniform numbers, their products and sums.
  const double sums = range_of(types.x) * range_of(types.w) / 12 *
                      std::sqrt(static_cast<double>(std::max<uint64_t>(count, 1)));
  const double results = range_of(types.y) / 5;
  const double shift = -std::round(std::log2(sums / results));
  const bool wide = types.x == DType::kInt16;
  c.inputs.resize(kBiasInput);
  c.inputs.push_back(ranged(tensor(ends, wide ? DType::kInt64 : DType::kInt32), -sums, sums));
  c.inputs.push_back(ranged(tensor(ends, DType::kInt32), 0x1p30, 0x1p31 - 1));
  c.inputs.push_back(ranged(tensor(ends, DType::kInt8), shift - 1, shift + 1));
}

Operand channel_ends(uint32_t outputs, uint64_t count) {
  const double sums = 65536.0 / 12 * std::sqrt(static_cast<double>(std::max<uint64_t>(count, 1)));
  const double shift = -std::round(std::log2(sums / 51));
  std::vector<Number> values;
  for (uint32_t o = 0; o < outputs; ++o) {
    values.push_back(std::round(static_cast<Number>(sums * (o * 37 % 101 / 50.0 - 1))));
  }
  for (uint32_t o = 0; o < outputs; ++o) {
    values.push_back(0x40000000L + static_cast<Number>(uint64_t{o} * 99999989 % 0x3fffffff));
  }
  for (uint32_t o = 0; o < outputs; ++o) values.push_back(static_cast<Number>(shift) + o % 3 - 1);
  return with_values(tensor({3, outputs}, DType::kInt32), values);
}

std::vector<Number> shuffled_bytes(DType type, uint32_t step) {
  constexpr uint32_t kNumbers = 256;
  std::vector<Number> numbers;
  for (uint32_t i = 0; i < kNumbers; ++i) {
    numbers.push_back(lowest_of(type) + (i * step + 37) % kNumbers);
  }
  return numbers;
}

Operand shuffled_tables(DType type) {
  std::vector<Number> numbers = shuffled_bytes(type, 91);
  const std::vector<Number> second = shuffled_bytes(type, 17);
  numbers.insert(numbers.end(), second.begin(), second.end());
  return with_values(tensor({2, static_cast<uint32_t>(second.size())}, type), numbers);
}

OpCase with_input(OpCase c, const char* name, uint32_t input, Operand operand) {
  c.name += std::string("_") + name;
  while (c.inputs.size() <= input) c.inputs.push_back(absent());
  c.inputs[input] = std::move(operand);
  return c;
}

OpCase as_sums(OpCase c) {
  c.name += "_sums";
  c.inputs[kMultipliersInput] = c.inputs[kShiftsInput] = absent();
  Operand& bias = c.inputs[kBiasInput];
  if (!bias.absent) bias = whole_range(tensor(bias.dims, DType::kInt32));
  c.outputs[0].dtype = DType::kInt32;
  return c;
}

OpCase packed(OpCase c, std::vector<uint32_t> order) {
  c.name += "_packed4";
  for (const uint32_t d : order) c.name += std::to_string(d);
  Operand& w = c.inputs[1];
  w.layout = Layout::kPacked4;
  if (!order.empty()) w.order = std::move(order);
  w = w.dtype == DType::kInt8 ? ranged(w, -8, 7) : ranged(w, 0, 15);
  // Sums are a 16th.
  const auto there = [&](uint32_t i) { return i < c.inputs.size() && !c.inputs[i].absent; };
  if (there(kBiasInput) && there(kMultipliersInput)) {
    c.inputs[kBiasInput].low /= 16;
    c.inputs[kBiasInput].high /= 16;
  }
  if (there(kShiftsInput)) {
    c.inputs[kShiftsInput].low += 4;
    c.inputs[kShiftsInput].high += 4;
  }
  return c;
}

namespace {

bool has_wide_sums(const OpCase& c) {
  const bool bias_of_32 = c.inputs.size() > kBiasInput && !c.inputs[kBiasInput].absent &&
                          c.inputs[kBiasInput].dtype == DType::kInt32;
  return c.inputs[0].dtype == DType::kInt16 && c.outputs[0].dtype != DType::kInt32 && !bias_of_32;
}

}  // namespace

Number end_of(const OpCase& c, const std::vector<Numbers>& inputs, uint32_t input, uint64_t index,
              Number otherwise) {
  if (input >= c.inputs.size() || c.inputs[input].absent) return otherwise;
  const std::vector<Number>& values = inputs[input].values;
  return values.size() == 1 ? values[0] : values[index];
}

Number quantized_result(const OpCase& c, const std::vector<Numbers>& inputs, uint64_t index,
                        Number sum, const Requantization& output) {
  const bool sums = c.outputs[0].dtype == DType::kInt32;
  const bool wide = has_wide_sums(c);
  sum += end_of(c, inputs, kBiasInput, index, 0);
  sum = wrapped(wide ? DType::kInt64 : DType::kInt32, sum);
  if (sums) return sum;
  return finished_product({.sum = sum,
                           .multiplier = end_of(c, inputs, kMultipliersInput, index, 0),
                           .shift = end_of(c, inputs, kShiftsInput, index, 0),
                           .wide = wide},
                          output);
}

std::vector<Numbers> conv_with_ends_oracle(const OpCase& c, const QuantizedConvAttributes& conv,
                                           const std::vector<Numbers>& inputs) {
  const uint32_t outputs = c.inputs[1].dims[0];
  OpCase of_conv = c;
  of_conv.attributes = words(conv);
  of_conv.inputs.resize(2);
  std::vector<Numbers> numbers = {inputs[0], inputs[1]};
  const std::vector<Number>& ends = inputs[2].values;
  for (uint32_t i = 0; i < 3; ++i) {
    const DType type = i == 2 ? DType::kInt8 : DType::kInt32;
    of_conv.inputs.push_back(tensor({outputs}, type));
    const auto first = ends.begin() + std::ptrdiff_t{i} * outputs;
    numbers.push_back({type, {outputs}, {first, first + outputs}});
  }
  return quantized_conv_oracle(of_conv, numbers);
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
