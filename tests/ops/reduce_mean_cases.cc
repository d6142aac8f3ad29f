// Cases of reduce_mean: axes in every combination that matters.
#include "tests/ops/cases.h"

namespace arenite::ops_test {
namespace {

OpCase reduce_mean(const char* name, Operand x, uint32_t axes) {
  OpCase c;
  c.name = name;
  c.tolerance = 1e-5;
  c.attributes = words(ReduceMeanAttributes{axes});
  Operand y = x;
  for (size_t d = 0; d < y.dims.size(); ++d) y.dims[d] = (axes >> d & 1u) != 0 ? 1 : y.dims[d];
  y.specials.clear();
  c.inputs = {std::move(x)};
  c.outputs = {std::move(y)};
  return c;
}

}  // namespace

std::vector<OpCase> reduce_mean_cases() {
  return {
      reduce_mean("global_pool", channels_last(tensor({2, 20, 7, 7})), 0b1100),
      reduce_mean("global_pool_row_major", tensor({2, 20, 7, 7}), 0b1100),
      reduce_mean("channels", channels_last(tensor({2, 5, 3, 4})), 0b0010),
      reduce_mean("inner", tensor({3, 17}), 0b10),
      reduce_mean("outer", tensor({13, 33}), 0b01),
      reduce_mean("everything", tensor({3, 5, 4}), 0b111),
      reduce_mean("outer_and_inner", tensor({3, 18, 4}), 0b101),
      reduce_mean("nothing", tensor({3, 5}), 0),
      reduce_mean("scalar", tensor({}), 0),
      reduce_mean("rank_8", tensor({2, 1, 3, 2, 1, 2, 3, 2}), 0b01010101),
      reduce_mean("specials", with_specials(tensor({4, 9}), {__builtin_nanl(""), __builtin_infl()}),
                  0b10),
      reduce_mean("large", channels_last(tensor({1, 70, 24, 25})), 0b1100),
      reduce_mean("large_rows", tensor({50, 900}), 0b10),
      reduce_mean("empty_mean", tensor({3, 0}), 0b10),
      reduce_mean("empty_result", tensor({0, 3}), 0b10),
  };
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
