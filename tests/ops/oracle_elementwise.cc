// Operators of one element each: arithmetic, activations, casts.
#include <cmath>

#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

// The integer of the type that differs from value by a multiple of 2^bits.
Number wrapped(DType type, Number value) {
  const Number size = std::ldexp(Number{1}, static_cast<int>(element_bytes(type) * 8));
  Number rest = std::fmod(value, size);
  if (rest < lowest_of(type)) rest += size;
  if (rest > highest_of(type)) rest -= size;
  return rest;
}

// Sums and products of 64-bit integers do not fit a Number: they are wrapped in integers.
uint64_t bits_of(Number value) {
  return value < 0 ? uint64_t{0} - static_cast<uint64_t>(-value) : static_cast<uint64_t>(value);
}

Number integer_result(Op op, DType type, Number a, Number b) {
  if (op == Op::kAdd) return wrapped(type, static_cast<Number>(bits_of(a) + bits_of(b)));
  if (op == Op::kMul) return wrapped(type, static_cast<Number>(bits_of(a) * bits_of(b)));
  return b == 0 ? 0 : wrapped(type, std::trunc(a / b));
}

Number float_result(Op op, Number a, Number b) {
  if (op == Op::kAdd) return a + b;
  return op == Op::kMul ? a * b : a / b;
}

std::vector<Numbers> binary(const OpCase& c, const std::vector<Numbers>& inputs) {
  Numbers y = blank_output(c, 0);
  const Activation activation = attributes_of<BinaryAttributes>(c).activation;
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Number a = inputs[0].values[p];
    const Number b = inputs[1].values[p];
    // A float's result is rounded: an overflow is infinite.
    y.values[p] = is_float(y.dtype)
                      ? activated(activation, nearest(y.dtype, float_result(c.op, a, b)))
                      : integer_result(c.op, y.dtype, a, b);
  }
  return {y};
}

std::vector<Numbers> clip(const OpCase& c, const std::vector<Numbers>& inputs) {
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

Number cast_value(DType to, DType from, Number value) {
  if (to == DType::kBool) return value != 0 ? 1 : 0;
  if (is_float(to)) return nearest(to, value);
  if (!is_float(from)) return wrapped(to, value);
  if (std::isnan(value)) return 0;
  return std::fmin(std::fmax(std::trunc(value), lowest_of(to)), highest_of(to));
}

}  // namespace

std::vector<Numbers> elementwise_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  Activation activation = {ActivationKind::kSigmoid, 0, 0};
  switch (c.op) {
    case Op::kAdd:
    case Op::kMul:
    case Op::kDiv:
      return binary(c, inputs);
    case Op::kClip:
      return clip(c, inputs);
    case Op::kHardSigmoid: {
      const auto a = attributes_of<HardSigmoidAttributes>(c);
      activation = {ActivationKind::kHardSigmoid, a.alpha, a.beta};
      break;
    }
    case Op::kCast: {
      Numbers y = blank_output(c, 0);
      for (uint64_t p = 0; p < y.values.size(); ++p) {
        y.values[p] = cast_value(y.dtype, inputs[0].dtype, inputs[0].values[p]);
      }
      return {y};
    }
    default:
      break;
  }
  Numbers y = inputs[0];
  for (Number& value : y.values) value = activated(activation, value);
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
