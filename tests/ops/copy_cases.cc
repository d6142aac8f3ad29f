// Cases of copy: from any strides to any others.
#include "tests/ops/cases.h"
#include "tests/ops/movement_cases.h"

namespace arenite::ops_test {
namespace {

OpCase copy(const char* name, Operand x, Operand y) {
  OpCase c;
  c.name = name;
  c.inputs = {std::move(x)};
  c.outputs = {std::move(y)};
  return c;
}

}  // namespace

std::vector<OpCase> copy_cases() {
  std::vector<OpCase> cases;
  for (const MovedType& type : kMovedTypes) {
    for (const OpCase& c : {
             copy("dense", tensor({3, 5, 7}), tensor({3, 5, 7})),
             copy("scalar", tensor({}), tensor({})),
             copy("to_channels_last", tensor({2, 5, 3, 4}), channels_last(tensor({2, 5, 3, 4}))),
             copy("from_channels_last", channels_last(tensor({2, 5, 3, 4})), tensor({2, 5, 3, 4})),
             copy("transposed", tensor({6, 9}), ordered(tensor({6, 9}), {1, 0})),
             copy("broadcast", repeated(tensor({3, 4, 5}), 0b101), tensor({3, 4, 5})),
             copy("into_slice", tensor({3, 4, 5}), with_margin(tensor({3, 4, 5}), 2)),
             copy("from_slice", with_margin(tensor({3, 4, 5}), 3), tensor({3, 4, 5})),
             copy("rank_8", tensor({2, 1, 2, 3, 1, 2, 2, 3}),
                  ordered(tensor({2, 1, 2, 3, 1, 2, 2, 3}), {3, 1, 7, 0, 2, 6, 5, 4})),
             copy("large", tensor({1, 8, 67, 65}), channels_last(tensor({1, 8, 67, 65}))),
             copy("large_dense", tensor({40013}), tensor({40013})),
             copy("empty", tensor({3, 0, 5}), tensor({3, 0, 5})),
         }) {
      cases.push_back(of_type(c, type));
    }
  }
  return cases;
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
