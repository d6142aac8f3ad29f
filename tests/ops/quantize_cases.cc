// Cases of quantize: every type, both ways of rounding, scales of the whole and an axis, and what
// saturates.
#include <cmath>
#include <random>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

// Most quotients near halves, some far beyond the type's range.
OpCase quantize(std::string name, const Dims& dims, DType type, Rounding rounding) {
  OpCase c;
  c.name = std::move(name);
  c.attributes = words(QuantizeAttributes{rounding});
  Operand x = ranged(tensor(dims), -40, 40);
  x.specials = {0.25L,
                -0.25L,
                0.75L,
                -0.75L,
                1.25L,
                -1.25L,
                0.0L,
                -0.0L,
                1e6L,
                -1e6L,
                __builtin_nanl(""),
                __builtin_infl(),
                -__builtin_infl(),
                3e9L,
                -3e9L,
                63.75L};
  const Operand scale = repeated(with_values(tensor(dims), {0.5L}), ~0u);
  const bool is_signed = type == DType::kInt8 || type == DType::kInt16;
  Operand zero_point = with_values(tensor(dims, type), {is_signed ? -3.0L : 131.0L});
  c.inputs = {x, scale, repeated(zero_point, ~0u)};
  c.outputs = {tensor(dims, type)};
  return c;
}

// Scales and zero points for each index of dim 1.
OpCase per_axis(OpCase c) {
  c.name += "_per_axis";
  const uint32_t others = ~2u;
  c.inputs[1] = repeated(ranged(tensor(c.inputs[0].dims), 0.01, 2), others);
  c.inputs[2] = repeated(ranged(tensor(c.inputs[0].dims, c.outputs[0].dtype), 0, 100), others);
  return c;
}

// Quotients at halves and right beside them, by divisors of every size.
OpCase at_halves(OpCase c) {
  c.name += "_at_halves";
  const Dims& dims = c.inputs[0].dims;
  std::mt19937 random(7);
  std::vector<Number> x;
  std::vector<Number> scales;
  for (uint32_t row = 0; row < dims[0]; ++row) {
    const auto fraction = static_cast<float>(random() % (1u << 23)) / (1u << 23);
    const float scale = std::ldexp(1.0f + fraction, static_cast<int>(row) * 9 - 140);
    scales.push_back(Number{scale});
    for (uint32_t i = 0; i < dims[1]; ++i) {
      const auto whole = static_cast<float>(random() % 256) - 128.0f;
      const float half = (whole + 0.5f) * scale;
      const float beside = std::nextafterf(half, i % 3 == 0 ? 0.0f : HUGE_VALF);
      x.push_back(Number{i % 3 == 1 ? half : beside});
    }
  }
  c.inputs[0] = with_values(tensor(dims), x);
  c.inputs[1] = repeated(with_values(tensor(dims), scales), 0b10);
  return c;
}

// Scales that are no sizes.
OpCase by_special_scales(OpCase c) {
  c.name += "_by_special_scales";
  c.inputs[1] = repeated(
      with_values(tensor(c.inputs[0].dims), {0.0L, -0.0L, __builtin_infl(), __builtin_nanl(""),
                                             1e-45L, -0.25L, 1e-39L, 3e38L}),
      0b10);
  for (Number value : {1e-45L, -3e-39L, 3e38L, 1e-40L}) c.inputs[0].specials.push_back(value);
  return c;
}

}  // namespace

std::vector<OpCase> quantize_cases() {
  std::vector<OpCase> cases;
  for (const NamedType& type : kAllTypes) {
    if (type.dtype != DType::kInt8 && type.dtype != DType::kUint8 && type.dtype != DType::kInt16 &&
        type.dtype != DType::kUint16) {
      continue;
    }
    const std::string name = type.name;
    const Dims dims = {3, 5, 41};
    cases.push_back(quantize(name + "_half_even", dims, type.dtype, Rounding::kHalfEven));
    cases.push_back(per_axis(cases.back()));
    cases.push_back(quantize(name + "_away", dims, type.dtype, Rounding::kTfliteDouble));
    cases.push_back(cases.back());
    cases.back().name += "_without_zero_point";
    cases.back().inputs[2] = absent();
  }
  for (const Rounding rounding : {Rounding::kHalfEven, Rounding::kTfliteDouble}) {
    const std::string name = rounding == Rounding::kHalfEven ? "even" : "away";
    cases.push_back(at_halves(quantize(name, {30, 41}, DType::kInt16, rounding)));
    cases.push_back(by_special_scales(quantize(name, {8, 61}, DType::kInt8, rounding)));
  }
  cases.push_back(quantize("large", {40, 130}, DType::kInt8, Rounding::kHalfEven));
  cases.push_back(quantize("large_int16", {40, 130}, DType::kInt16, Rounding::kTfliteDouble));
  cases.push_back(quantize("scalar", {}, DType::kInt8, Rounding::kTfliteSingle));
  cases.push_back(quantize("empty", {2, 0}, DType::kInt8, Rounding::kHalfEven));
  OpCase images = per_axis(quantize("images", {2, 3, 7, 5}, DType::kUint8, Rounding::kHalfEven));
  images.inputs[0] = channels_last(std::move(images.inputs[0]));
  images.outputs[0] = channels_last(std::move(images.outputs[0]));
  cases.push_back(images);
  for (OpCase& c : cases) c.op = Op::kQuantize;
  return cases;
}

std::vector<Numbers> quantize_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  Numbers y = blank_output(c, 0);
  const DType type = c.outputs[0].dtype;
  const bool even = attributes_of<QuantizeAttributes>(c).rounding == Rounding::kHalfEven;
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const auto x = static_cast<float>(inputs[0].values[p]);
    const float quotient = x / static_cast<float>(inputs[1].values[p]);
    const Number zero = c.inputs[2].absent ? 0 : inputs[2].values[p];
    const float whole = even ? std::nearbyint(quotient) : std::round(quotient);
    const Number moved = std::isnan(whole) ? zero : Number{whole} + zero;
    y.values[p] = std::min(std::max(moved, lowest_of(type)), highest_of(type));
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
