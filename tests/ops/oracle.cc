// Chooses the oracle of an operator; what oracles share.
#include "tests/ops/oracle.h"

#include <cmath>
#include <stdexcept>

namespace arenite::ops_test {

Numbers blank_output(const OpCase& c, uint32_t i) {
  Numbers blank = {c.outputs[i].dtype, c.outputs[i].dims, {}};
  blank.values.resize(count_of(blank.dims));
  return blank;
}

// Most of an oracle's time, which an allocation for each index would take ten times over.
Number at(const Numbers& tensor, std::span<const uint32_t> index) {
  uint64_t position = 0;
  for (size_t d = 0; d < index.size(); ++d) position = position * tensor.dims[d] + index[d];
  return tensor.values[position];
}

Number activated(const Activation& activation, Number value) {
  if (std::isnan(value)) return value;
  const Number a = static_cast<Number>(activation.a);
  const Number b = static_cast<Number>(activation.b);
  switch (activation.kind) {
    case ActivationKind::kClip:
      return std::fmin(std::fmax(value, a), b);
    case ActivationKind::kHardSigmoid:
      return std::fmax(Number{0}, std::fmin(Number{1}, a * value + b));
    case ActivationKind::kSigmoid:
      return 1 / (1 + std::exp(-value));
    case ActivationKind::kHardSwish:
      return value * std::fmax(Number{0}, std::fmin(Number{1}, a * value + b));
    case ActivationKind::kSwish:
      return value / (1 + std::exp(-a * value));
    case ActivationKind::kNone:
      break;
  }
  return value;
}

Number wrapped(DType type, Number value) {
  const Number size = std::ldexp(Number{1}, static_cast<int>(element_bytes(type) * 8));
  Number rest = std::fmod(value, size);
  if (rest < lowest_of(type)) rest += size;
  if (rest > highest_of(type)) rest -= size;
  return rest;
}

std::vector<Numbers> oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  switch (c.op) {
#define ARENITE_KERNEL_OP(number, name, Type, set) \
  case Op::k##Type:                                \
    return name##_oracle(c, inputs);
#include "schema/ops.def"
    default:
      throw std::logic_error("no oracle for this operator");
  }
}

std::vector<Numbers> oracle(const OpCase& c) {
  std::vector<Numbers> inputs(c.inputs.size());
  for (uint32_t i = 0; i < c.inputs.size(); ++i) {
    if (!c.inputs[i].absent) inputs[i] = contents_of(c, i);
  }
  return oracle(c, inputs);
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
