// Makes the contents of a case's operands from its seed.
#include "tests/ops/case.h"

#include <cmath>
#include <utility>

namespace arenite::ops_test {
namespace {

// SplitMix64: the same numbers on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // In [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  uint64_t state_;
};

Number random_value(const Operand& operand, Random& random) {
  const double u = random.uniform();
  if (is_float(operand.dtype)) {
    return static_cast<Number>(operand.low + (operand.high - operand.low) * u);
  }
  return std::floor(static_cast<Number>(operand.low + (operand.high - operand.low + 1) * u));
}

}  // namespace

Operand channels_last(Operand operand) {
  operand.order = {0};
  for (uint32_t d = 2; d < operand.dims.size(); ++d) operand.order.push_back(d);
  operand.order.push_back(1);
  return operand;
}

Numbers contents_of(const OpCase& c, uint32_t input) {
  const Operand& operand = c.inputs[input];
  std::vector<uint32_t> distinct = operand.dims;
  for (size_t d = 0; d < distinct.size(); ++d) {
    if ((operand.repeated >> d & 1u) != 0 && distinct[d] != 0) distinct[d] = 1;
  }
  std::vector<Number> values = operand.values;
  Random random(uint64_t{c.seed} * 1000003 + input);
  for (uint64_t i = values.size(); i < count_of(distinct); ++i) {
    const Number value = random_value(operand, random);
    const bool special = !operand.specials.empty() && i % 5 == 2;
    values.push_back(special ? operand.specials[i / 5 % operand.specials.size()] : value);
  }
  if (is_float(operand.dtype)) {
    for (Number& value : values) value = nearest(operand.dtype, value);
  }
  Numbers numbers = {operand.dtype, operand.dims, {}};
  if (distinct == operand.dims) {
    values.resize(count_of(distinct));
    numbers.values = std::move(values);
    return numbers;
  }
  numbers.values.resize(count_of(operand.dims));
  for_each_index(operand.dims, [&](uint64_t i, const Index& index) {
    Index from = index;
    for (size_t d = 0; d < from.size(); ++d) from[d] = distinct[d] == 1 ? 0 : from[d];
    numbers.values[i] = values[position_of(distinct, from)];
  });
  return numbers;
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
