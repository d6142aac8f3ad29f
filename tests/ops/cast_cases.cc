// Cases of cast: every pair of types, over the numbers where rounding and ranges matter.
#include <cmath>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

// Numbers around the edges of types, as far as `type` has them.
std::vector<Number> edges(DType type) {
  std::vector<Number> all = {0.0L, -0.0L, 1, -1, 0.5L, -0.5L, 1.5L, -1.5L, 2.5L, 0.999999L};
  for (int power = 3; power <= 64; ++power) {
    const Number p = std::ldexp(1.0L, power);
    for (Number delta : {-3.0L, -2.0L, -1.5L, -1.0L, -0.5L, 0.0L, 0.5L, 1.0L, 1.5L, 3.0L}) {
      all.push_back(p + delta);
      all.push_back(-p + delta);
    }
    // Halfway between two numbers of 8, 11 and 24 digits, and just beside.
    for (int digits : {8, 11, 24}) {
      if (power < digits) continue;
      const Number half = p + std::ldexp(1.0L, power - digits);
      for (Number beside : {-1.0L, 0.0L, 1.0L}) {
        all.push_back(half + beside);
        all.push_back(-half - beside);
        all.push_back(3 * (half + beside));
      }
    }
  }
  for (Number tiny :
       {0x1p-14L,    0x1p-24L,        0x1p-25L,        0x1.8p-25L,  0x1p-26L,  0x1.ffcp-15L,
        0x1p-126L,   0x1p-133L,       0x1p-134L,       0x1.8p-134L, 0x1p-149L, 0x1p-150L,
        0x1.8p-150L, 0x1p-1074L,      65504.0L,        65519.0L,    65520.0L,  0x1.fep127L,
        0x1.ffp127L, 0x1.fffffep127L, 0x1.ffffffp127L, 0x1p128L,    1e300L}) {
    all.push_back(tiny);
    all.push_back(-tiny);
  }
  std::vector<Number> fit;
  for (Number value : all) {
    if (is_float(type)) {
      fit.push_back(nearest(type, value));
    } else if (value >= lowest_of(type) && value <= highest_of(type)) {
      fit.push_back(std::trunc(value));
    }
  }
  if (is_float(type)) {
    fit.insert(fit.end(), {__builtin_infl(), -__builtin_infl(), __builtin_nanl("")});
  }
  return fit;
}

OpCase cast(std::string name, Operand x, DType to) {
  OpCase c;
  c.name = std::move(name);
  Operand y = tensor(x.dims, to);
  y.order = x.order;
  c.inputs = {std::move(x)};
  c.outputs = {std::move(y)};
  return c;
}

Number cast_value(DType to, DType from, Number value) {
  if (to == DType::kBool) return value != 0 ? 1 : 0;
  if (is_float(to)) return nearest(to, value);
  if (!is_float(from)) return wrapped(to, value);
  if (std::isnan(value)) return 0;
  return std::fmin(std::fmax(std::trunc(value), lowest_of(to)), highest_of(to));
}

}  // namespace

std::vector<OpCase> cast_cases() {
  std::vector<OpCase> cases;
  for (const NamedType& from : kAllTypes) {
    const std::vector<Number> values = edges(from.dtype);
    for (const NamedType& to : kAllTypes) {
      cases.push_back(
          cast(std::string(from.name) + "_to_" + to.name,
               with_values(tensor({static_cast<uint32_t>(values.size())}, from.dtype), values),
               to.dtype));
    }
  }
  cases.push_back(
      cast("image", ranged(channels_last(tensor({2, 3, 4, 5})), -300, 300), DType::kUint8));
  cases.push_back(cast("scalar", tensor({}), DType::kFloat16));
  cases.push_back(cast("empty", tensor({0, 4}), DType::kInt64));
  cases.push_back(
      cast("large", ranged(tensor({5, 4099}, DType::kInt64), -9e6, 9e6), DType::kFloat32));
  // What casts to float32 take in vectors: whole pieces, and what is left of rows.
  for (const NamedType& from : kAllTypes) {
    const std::string name = std::string("from_") + from.name;
    const double high = from.dtype == DType::kBool ? 1 : 99;
    const Operand rows = with_margin(tensor({3, 45}, from.dtype), 3);
    cases.push_back(cast(name + "_rows", ranged(rows, 0, high), DType::kFloat32));
    const Operand image = tensor({2, 3, 7, 9}, from.dtype);
    cases.push_back(cast(name + "_image", ranged(image, 0, high), DType::kFloat32));
    cases.push_back(cases.back());
    cases.back().name += "_to_pixels";
    cases.back().outputs[0] = channels_last(cases.back().outputs[0]);
  }
  // What casts from float32 take in vectors.
  for (const NamedType& to : kAllTypes) {
    const std::string name = std::string("to_") + to.name;
    const Operand rows = with_margin(tensor({3, 45}), 3);
    cases.push_back(cast(name + "_rows", ranged(rows, -99, 300), to.dtype));
    const Operand image = tensor({2, 3, 7, 9});
    cases.push_back(cast(name + "_image", ranged(image, -3e9, 3e9), to.dtype));
    cases.push_back(cast(name + "_pixels", ranged(channels_last(image), -3e5, 3e5), to.dtype));
  }
  cases.push_back(cast("large_to_bytes", ranged(tensor({5, 4099}), -99, 300), DType::kUint8));
  cases.push_back(
      cast("large_bytes", ranged(tensor({5, 4099}, DType::kUint8), 0, 255), DType::kFloat32));
  return cases;
}

std::vector<Numbers> cast_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    y.values[p] = cast_value(y.dtype, inputs[0].dtype, inputs[0].values[p]);
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
