// Cases of concat: one input to many, each axis, empty ones among them.
#include "tests/ops/cases.h"
#include "tests/ops/movement_cases.h"

namespace arenite::ops_test {
namespace {

OpCase concat(const char* name, std::vector<Operand> inputs, uint32_t axis) {
  OpCase c;
  c.name = name;
  c.attributes = words(ConcatAttributes{axis});
  Operand y = inputs[0];
  y.repeated = 0;
  for (size_t i = 1; i < inputs.size(); ++i) y.dims[axis] += inputs[i].dims[axis];
  c.inputs = std::move(inputs);
  c.outputs = {std::move(y)};
  return c;
}

}  // namespace

std::vector<OpCase> concat_cases() {
  std::vector<OpCase> cases;
  for (const MovedType& type : kMovedTypes) {
    for (const OpCase& c : {
             concat("outer", {tensor({2, 3}), tensor({4, 3})}, 0),
             concat("inner", {tensor({3, 2}), tensor({3, 5}), tensor({3, 1})}, 1),
             concat("channels",
                    {channels_last(tensor({1, 3, 4, 5})), channels_last(tensor({1, 6, 4, 5}))}, 1),
             concat("mixed_layouts", {channels_last(tensor({2, 3, 4, 5})), tensor({2, 2, 4, 5})},
                    1),
             concat("middle", {tensor({2, 3, 4}), tensor({2, 1, 4})}, 1),
             concat("one_input", {tensor({2, 3, 4})}, 2),
             concat("with_empty", {tensor({2, 0}), tensor({2, 3}), tensor({2, 0})}, 1),
             concat("all_empty", {tensor({0, 2}), tensor({0, 3})}, 1),
             concat("repeated_input", {repeated(tensor({3, 4}), 1), tensor({3, 2})}, 1),
             concat("rank_8", {tensor({1, 2, 1, 2, 3, 2, 1, 2}), tensor({1, 2, 1, 2, 1, 2, 1, 2})},
                    4),
             concat("large", {tensor({1, 40, 31, 33}), tensor({1, 7, 31, 33})}, 1),
         }) {
      cases.push_back(of_type(c, type));
    }
  }
  std::vector<Operand> many;
  for (uint32_t i = 0; i < 40; ++i) many.push_back(tensor({3, 1 + i % 3}));
  cases.push_back(concat("many_inputs", std::move(many), 1));
  return cases;
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
