// Cases of gather: each axis, indices of any rank, negative ones, both index types.
#include "tests/ops/cases.h"
#include "tests/ops/moved_types.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

// Random indices over the whole axis, negative ones too.
OpCase gather(const char* name, Operand data, const Dims& indices, uint32_t axis,
              DType index_type = DType::kInt64) {
  OpCase c;
  c.name = name;
  c.attributes = words(GatherAttributes{axis});
  Dims y(data.dims.begin(), data.dims.begin() + axis);
  y.insert(y.end(), indices.begin(), indices.end());
  y.insert(y.end(), data.dims.begin() + axis + 1, data.dims.end());
  const double size = data.dims[axis];
  c.inputs = {std::move(data), ranged(tensor(indices, index_type), -size, size - 1)};
  c.outputs = {tensor(y)};
  return c;
}

}  // namespace

std::vector<OpCase> gather_cases() {
  std::vector<OpCase> cases;
  for (const MovedType& type : kMovedTypes) {
    for (const OpCase& c : {
             gather("rows", tensor({7, 5}), {4}, 0),
             gather("columns", tensor({7, 5}), {3}, 1),
             gather("middle", tensor({3, 6, 4}), {5}, 1, DType::kInt32),
             gather("matrix_of_indices", tensor({6, 4}), {2, 3}, 0),
             gather("matrix_of_columns", tensor({3, 6}), {2, 5}, 1, DType::kInt32),
             gather("scalar_index", tensor({6, 4}), {}, 0),
             gather("scalar_index_inner", tensor({6, 4}), {}, 1, DType::kInt32),
             gather("vector", tensor({9}), {1}, 0),
             gather("to_scalar", tensor({9}), {}, 0),
             gather("to_rank_8", tensor({2, 3, 2, 2}), {1, 2, 2, 1, 2}, 1),
             gather("channels_last", channels_last(tensor({2, 9, 3, 4})), {4}, 1),
             gather("no_indices", tensor({6, 4}), {0}, 0),
             gather("empty_data", tensor({6, 0}), {3}, 0),
             gather("large", tensor({4, 36001}), {2}, 0),
         }) {
      cases.push_back(of_type(c, type, 0b10));
    }
  }
  OpCase shared = gather("repeated_indices", tensor({6, 4}), {3, 2}, 0);
  shared.inputs[1].repeated = 1;
  cases.push_back(shared);
  return cases;
}

std::vector<Numbers> gather_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const uint32_t axis = attributes_of<GatherAttributes>(c).axis;
  const Numbers& data = inputs[0];
  const Numbers& indices = inputs[1];
  Numbers y = blank_output(c, 0);
  const size_t rank = indices.dims.size();
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Index to = index_of(y.dims, p);
    const auto pick = to.begin() + axis;
    Number position = at(indices, std::span(pick, rank));
    if (position < 0) position += static_cast<Number>(data.dims[axis]);
    Dims from(to.begin(), pick);
    from.push_back(static_cast<uint32_t>(position));
    from.insert(from.end(), pick + rank, to.end());
    y.values[p] = at(data, from);
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
