// Cases of max_unpool: every element somewhere else, layouts, types of each size.
#include <algorithm>
#include <numeric>
#include <random>

#include "tests/ops/cases.h"
#include "tests/ops/moved_types.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

// Indices that differ: which of two equal ones stays is nobody's promise on a GPU.
OpCase unpool(const char* name, Operand x, Operand y) {
  OpCase c;
  c.name = name;
  std::vector<uint32_t> places(count_of(y.dims));
  std::iota(places.begin(), places.end(), 0u);
  std::shuffle(places.begin(), places.end(), std::mt19937(5));
  const std::vector<Number> indices(places.begin(),
                                    places.begin() + static_cast<std::ptrdiff_t>(count_of(x.dims)));
  c.inputs = {x, with_values(tensor(x.dims, DType::kInt64), indices)};
  c.outputs = {std::move(y)};
  return c;
}

}  // namespace

std::vector<OpCase> max_unpool_cases() {
  std::vector<OpCase> cases;
  for (const MovedType& type : kMovedTypes) {
    for (const OpCase& c : {
             unpool("image", tensor({1, 3, 4, 5}), tensor({1, 3, 8, 10})),
             unpool("channels_last", channels_last(tensor({2, 3, 2, 3})),
                    channels_last(tensor({2, 3, 5, 6}))),
             unpool("vector", tensor({7}), tensor({3, 11})),
             unpool("nothing_put", tensor({0, 2}), tensor({3, 3})),
             unpool("rank_8", tensor({2, 3}), tensor({1, 2, 1, 2, 3, 2, 1, 2})),
         }) {
      cases.push_back(of_type(c, type, 0b10));
    }
  }
  cases.push_back(unpool("large", tensor({1, 5, 40, 41}), tensor({1, 5, 80, 82})));
  cases.push_back(unpool("empty", tensor({0, 2}), tensor({0, 4})));
  return cases;
}

std::vector<Numbers> max_unpool_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < inputs[0].values.size(); ++p) {
    y.values[static_cast<size_t>(inputs[1].values[p])] = inputs[0].values[p];
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
