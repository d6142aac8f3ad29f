// Cases of reverse_sequence: both orders of the axes, and axes behind others.
#include "tests/ops/cases.h"
#include "tests/ops/moved_types.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

OpCase reverse_sequence(const char* name, const std::vector<uint32_t>& dims, uint32_t batch,
                        uint32_t time, DType index_type = DType::kInt64) {
  OpCase c;
  c.name = name;
  c.attributes = words(ReverseSequenceAttributes{batch, time});
  c.inputs = {tensor(dims), ranged(tensor({dims[batch]}, index_type), 0, dims[time])};
  c.outputs = {tensor(dims)};
  return c;
}

}  // namespace

std::vector<OpCase> reverse_sequence_cases() {
  std::vector<OpCase> cases;
  for (const MovedType& type : kMovedTypes) {
    for (const OpCase& c : {
             reverse_sequence("time_first", {7, 5}, 1, 0),
             reverse_sequence("batch_first", {5, 7}, 0, 1, DType::kInt32),
             reverse_sequence("with_features", {6, 4, 3}, 1, 0),
             reverse_sequence("late_axes", {2, 3, 4, 5}, 3, 1),
             reverse_sequence("rank_8", {2, 1, 2, 5, 1, 2, 2, 1}, 0, 3),
         }) {
      cases.push_back(of_type(c, type, 0b10));
    }
  }
  cases.push_back(reverse_sequence("large", {2, 1, 32801}, 1, 0));
  return cases;
}

std::vector<Numbers> reverse_sequence_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto [batch, time] = attributes_of<ReverseSequenceAttributes>(c);
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    Index index = index_of(y.dims, p);
    const auto length = static_cast<uint32_t>(inputs[1].values[index[batch]]);
    if (index[time] < length) index[time] = length - 1 - index[time];
    y.values[p] = at(inputs[0], index);
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
