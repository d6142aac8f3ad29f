// Cases of sigmoid: shapes, layouts, and numbers from one end of floats to the other.
#include "tests/ops/cases.h"

namespace arenite::ops_test {
namespace {

OpCase sigmoid(const char* name, Operand x) {
  OpCase c;
  c.name = name;
  c.tolerance = 2e-7;
  c.inputs = {x};
  c.outputs = {std::move(x)};
  return c;
}

}  // namespace

std::vector<OpCase> sigmoid_cases() {
  return {
      sigmoid("vector", ranged(tensor({61}), -9, 9)),
      sigmoid("scalar", tensor({})),
      sigmoid("image", ranged(channels_last(tensor({2, 5, 6, 7})), -4, 4)),
      sigmoid("rank_8", tensor({1, 2, 1, 3, 2, 1, 2, 2})),
      sigmoid("wide_range", ranged(tensor({200}), -110, 110)),
      sigmoid("specials", with_specials(tensor({50}), {__builtin_nanl(""), __builtin_infl(),
                                                       -__builtin_infl(), 0.0L, -0.0L, 1e-40L})),
      sigmoid("large", ranged(tensor({1, 10, 64, 65}), -9, 9)),
      sigmoid("empty", tensor({0, 3})),
  };
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
