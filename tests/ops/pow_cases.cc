// Powers of every pair of types that differs in something, and what they are by ONNX's definition.
#include "tests/ops/pow_cases.h"

#include <algorithm>
#include <cmath>

#include "core/contract.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

constexpr Number kInfinite = __builtin_infl();
constexpr Number kNoNumber = __builtin_nanl("");

// Numbers that powers of this type treat in different ways.
std::vector<Number> special_bases(DType type) {
  if (is_float(type)) {
    return {-2, 0, -0.0L, 1, -1, kInfinite, -kInfinite, kNoNumber, 0.75L, -1.5L, 4};
  }
  return {-2, 0, 1, -1, lowest_of(type), highest_of(type), 3, 10, -3, 4, 9};
}

std::vector<Number> special_exponents(DType type) {
  if (is_float(type)) {
    return {2, 3, -3, 0.5L, kInfinite, -kInfinite, kNoNumber, 0, -0.0L, -1, 1, -2.5L, 31};
  }
  return {2, 3, 0, 1, highest_of(type), lowest_of(type), 7, 40, lowest_of(type) < 0 ? -1.0L : 5};
}

OpCase of_types(OpCase c, DType base, DType exponent) {
  c.inputs[0] = ranged(with_specials(std::move(c.inputs[0]), special_bases(base)), 0, 9);
  c.inputs[1] = ranged(with_specials(std::move(c.inputs[1]), special_exponents(exponent)), 0, 9);
  if (lowest_of(exponent) < 0 || is_float(exponent)) c.inputs[1].low = -4;
  c.inputs[0].dtype = c.outputs[0].dtype = base;
  c.inputs[1].dtype = exponent;
  c.tolerance = base == DType::kFloat64    ? 4e-16
                : base == DType::kFloat32  ? 2e-7
                : base == DType::kFloat16  ? 0x1p-11 + 1e-6
                : base == DType::kBfloat16 ? 0x1p-8 + 1e-6
                                           : 0;
  return c;
}

const char* name_of(DType type) {
  return std::find_if(std::begin(kAllTypes), std::end(kAllTypes),
                      [&](const NamedType& named) { return named.dtype == type; })
      ->name;
}

}  // namespace

std::vector<OpCase> cases_of_pow(std::vector<OpCase> of_family) {
  std::vector<OpCase> cases;
  for (OpCase& c : of_family) {
    const DType type = c.outputs[0].dtype;
    if (type == DType::kFloat32) cases.push_back(of_types(std::move(c), type, type));
  }
  OpCase two = cases.front();
  two.inputs = {tensor({11, 13}), tensor({11, 13})};
  two.outputs = {tensor({11, 13})};
  for (const NamedType& base : kAllTypes) {
    if (!has(types::kPower, base.dtype)) continue;
    for (const NamedType& exponent : kAllTypes) {
      if (!has(types::kAnyNumber, exponent.dtype)) continue;
      cases.push_back(of_types(two, base.dtype, exponent.dtype));
      cases.back().name = std::string(name_of(base.dtype)) + "_" + name_of(exponent.dtype);
    }
  }
  OpCase repeated_exponent = of_types(two, DType::kInt32, DType::kFloat32);
  repeated_exponent.name = "mixed_broadcast";
  repeated_exponent.inputs[1].repeated = 1;
  repeated_exponent.inputs[0] = channels_last(std::move(repeated_exponent.inputs[0]));
  cases.push_back(repeated_exponent);
  return cases;
}

Number power_of(DType type, Number a, Number b) {
  if (is_float(type)) return nearest(type, std::pow(a, b));
  const bool whole = !std::isnan(b) && !std::isinf(b) && b == std::trunc(b);
  if (!whole) {
    const Number power = std::pow(a, b);
    if (std::isnan(power)) return 0;
    return std::clamp(std::trunc(power), lowest_of(type), highest_of(type));
  }
  if (b < 0) return a == 1 ? 1 : a == -1 ? (std::fmod(b, 2) == 0 ? 1 : -1) : 0;
  const auto bits = [](Number value) {
    return value < 0 ? uint64_t{0} - static_cast<uint64_t>(-value) : static_cast<uint64_t>(value);
  };
  uint64_t result = 1, square = bits(a);
  for (uint64_t left = bits(b); left != 0; left /= 2, square *= square) {
    if (left % 2 != 0) result *= square;
  }
  return wrapped(type, static_cast<Number>(result));
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
