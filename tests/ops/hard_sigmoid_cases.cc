// Cases of hard_sigmoid: both attributes, both bounds, NaN.
#include "tests/ops/cases.h"

namespace arenite::ops_test {
namespace {

OpCase hard_sigmoid(const char* name, Operand x, float alpha, float beta) {
  OpCase c;
  c.name = name;
  c.tolerance = 1e-6;
  c.attributes = words(HardSigmoidAttributes{alpha, beta});
  c.inputs = {x};
  c.outputs = {std::move(x)};
  return c;
}

}  // namespace

std::vector<OpCase> hard_sigmoid_cases() {
  return {
      hard_sigmoid("defaults", ranged(tensor({61}), -9, 9), 0.2f, 0.5f),
      hard_sigmoid("sixth", ranged(channels_last(tensor({1, 5, 6, 7})), -5, 5), 1.0f / 6, 0.5f),
      hard_sigmoid("negative_alpha", ranged(tensor({4, 9}), -3, 3), -0.7f, 0.25f),
      hard_sigmoid("scalar", tensor({}), 0.2f, 0.5f),
      hard_sigmoid(
          "specials",
          with_specials(tensor({40}), {__builtin_nanl(""), __builtin_infl(), -__builtin_infl()}),
          0.2f, 0.5f),
      hard_sigmoid("large", ranged(tensor({1, 10, 64, 65}), -9, 9), 0.2f, 0.5f),
      hard_sigmoid("empty", tensor({0, 3}), 0.2f, 0.5f),
  };
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
