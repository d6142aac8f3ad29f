// Cases of one_hot: each axis, indices outside, both index types.
#include "tests/ops/cases.h"
#include "tests/ops/moved_types.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

OpCase one_hot(const char* name, const std::vector<uint32_t>& indices, uint32_t depth,
               uint32_t axis, DType index_type = DType::kInt64) {
  OpCase c;
  c.name = name;
  c.attributes = words(OneHotAttributes{axis});
  std::vector<uint32_t> y = indices;
  y.insert(y.begin() + axis, depth);
  // Some lie outside on either side.
  const double size = depth;
  c.inputs = {ranged(tensor(indices, index_type), -size - 2, size + 1), tensor({2})};
  c.outputs = {tensor(y)};
  return c;
}

}  // namespace

std::vector<OpCase> one_hot_cases() {
  std::vector<OpCase> cases;
  for (const MovedType& type : kMovedTypes) {
    for (const OpCase& c : {
             one_hot("last", {7}, 5, 1),
             one_hot("first", {7}, 5, 0, DType::kInt32),
             one_hot("middle", {2, 3, 4}, 5, 1),
             one_hot("scalar", {}, 6, 0),
             one_hot("rank_8", {2, 1, 2, 2, 1, 2, 2}, 3, 4),
         }) {
      cases.push_back(of_type(c, type, 0b01));
    }
  }
  cases.push_back(one_hot("large", {41}, 801, 1));
  return cases;
}

std::vector<Numbers> one_hot_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const uint32_t axis = attributes_of<OneHotAttributes>(c).axis;
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Index to = index_of(y.dims, p);
    const auto place = static_cast<Number>(to[axis]);
    std::vector<uint32_t> index(to.begin(), to.end());
    index.erase(index.begin() + axis);
    const Number wanted = at(inputs[0], index);
    const bool on = wanted == place || wanted + static_cast<Number>(y.dims[axis]) == place;
    y.values[p] = inputs[1].values[on ? 1 : 0];
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
