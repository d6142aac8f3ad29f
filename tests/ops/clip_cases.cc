// Cases of clip: bounds as attributes and operands, present and absent, every type, NaN.
#include <cmath>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

OpCase clip(const char* name, Operand x, float min = -__builtin_inff(),
            float max = __builtin_inff()) {
  OpCase c;
  c.name = name;
  c.attributes = words(ClipAttributes{min, max});
  c.inputs = {x};
  x.specials.clear();
  c.outputs = {std::move(x)};
  return c;
}

Operand scalar(DType type, Number value) { return with_values(tensor({}, type), {value}); }

OpCase typed(const char* name, DType type, Number low, Number high) {
  Operand x = ranged(tensor({5, 7}, type), is_float(type) ? -20 : 0, 20);
  x.specials = {lowest_of(type), is_float(type) ? 1000 : highest_of(type), low, high};
  OpCase c = clip(name, std::move(x));
  c.inputs.push_back(scalar(type, low));
  c.inputs.push_back(scalar(type, high));
  return c;
}

}  // namespace

std::vector<OpCase> clip_cases() {
  const DType f32 = DType::kFloat32;
  std::vector<OpCase> cases = {
      clip("relu", tensor({2, 3, 5, 4}), 0),
      clip("relu6", ranged(tensor({2, 3, 5, 4}), -9, 9), 0, 6),
      clip("max_only", tensor({33}), -__builtin_inff(), 0.25f),
      clip("no_bounds", tensor({33})),
      clip("scalar", tensor({}), 0, 1),
      clip("min_above_max", tensor({17}), 0.5f, -0.5f),
      clip("large", tensor({1, 16, 61, 57}), -0.5f, 0.5f),
      clip("empty", tensor({3, 0}), 0, 1),
      clip("nan_and_infinity",
           with_specials(tensor({40}),
                         {__builtin_nanl(""), __builtin_infl(), -__builtin_infl(), -0.0L}),
           -0.5f, 0.5f),
      clip("channels_last", channels_last(tensor({2, 3, 5, 4})), 0),
      typed("int8", DType::kInt8, -3, 9),
      typed("uint8", DType::kUint8, 3, 9),
      typed("int16", DType::kInt16, -3, 9),
      typed("uint16", DType::kUint16, 3, 9),
      typed("int32", DType::kInt32, -3, 9),
      typed("uint32", DType::kUint32, 3, 9),
      typed("int64", DType::kInt64, -3, 9),
      typed("uint64", DType::kUint64, 3, 9),
      typed("float64", DType::kFloat64, -0.25L, 1e-3L),
      typed("float32", f32, -0.25L, 2),
      typed("float16", DType::kFloat16, -0.25L, 2),
      typed("bfloat16", DType::kBfloat16, -0.25L, 2),
  };
  OpCase min_only = clip("operand_min_attribute_max", tensor({19}), -1, 0.75f);
  min_only.inputs.push_back(scalar(f32, -0.5L));
  cases.push_back(min_only);
  OpCase max_only = clip("absent_min_operand_max", tensor({19}), -0.25f, 7);
  max_only.inputs.push_back(absent());
  max_only.inputs.push_back(scalar(f32, 0.5L));
  cases.push_back(max_only);
  OpCase int_max = typed("int8_absent_min", DType::kInt8, 0, 9);
  int_max.inputs[1] = absent();
  cases.push_back(int_max);
  OpCase int_min = typed("int32_no_max", DType::kInt32, 3, 9);
  int_min.inputs.pop_back();
  cases.push_back(int_min);
  cases.push_back(clip("float64_attributes", tensor({9}, DType::kFloat64), -0.5f, 0.25f));
  cases.push_back(clip("float16_attributes", tensor({9}, DType::kFloat16), -0.5f, 0.25f));
  return cases;
}

std::vector<Numbers> clip_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto attributes = attributes_of<ClipAttributes>(c);
  Numbers y = inputs[0];
  const auto bound = [&](uint32_t i, float attribute, Number none) {
    if (i < inputs.size() && !c.inputs[i].absent) return inputs[i].values[0];
    return is_float(y.dtype) ? static_cast<Number>(attribute) : none;
  };
  const Number low = bound(1, attributes.min, lowest_of(y.dtype));
  const Number high = bound(2, attributes.max, highest_of(y.dtype));
  for (Number& value : y.values) {
    if (!std::isnan(value)) value = std::fmin(std::fmax(value, low), high);
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
