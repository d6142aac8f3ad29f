// Cases of cum_sum: each axis, both directions, with and without the element itself.
#include "core/contract.h"
#include "ops/contracts.h"
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

OpCase cum_sum(const char* name, const std::vector<uint32_t>& dims, uint32_t axis,
               uint32_t exclusive = 0, uint32_t reverse = 0, DType type = DType::kFloat32) {
  OpCase c;
  c.name = name;
  c.tolerance = type == DType::kFloat64 ? 1e-14 : is_float(type) ? 2 * half_unit(type) + 1e-5 : 0;
  c.attributes = words(CumSumAttributes{axis, exclusive, reverse});
  Operand x = tensor(dims, type);
  if (!is_float(type)) x = ranged(std::move(x), lowest_of(type) < 0 ? -99 : 0, 99);
  c.inputs = {x};
  c.outputs = {std::move(x)};
  return c;
}

}  // namespace

std::vector<OpCase> cum_sum_cases() {
  std::vector<OpCase> cases = {
      cum_sum("vector", {31}, 0),
      cum_sum("exclusive", {31}, 0, 1),
      cum_sum("reverse", {31}, 0, 0, 1),
      cum_sum("reverse_exclusive", {31}, 0, 1, 1),
      cum_sum("rows", {4, 7}, 1),
      cum_sum("columns", {4, 7}, 0, 0, 1),
      cum_sum("middle", {3, 5, 4}, 1, 1),
      cum_sum("channels", {2, 5, 3, 4}, 1),
      cum_sum("rank_8", {2, 1, 2, 5, 1, 2, 2, 1}, 3),
      cum_sum("large", {90, 400}, 1),
      cum_sum("empty", {3, 0}, 1),
  };
  for (const NamedType& type : kAllTypes) {
    if (type.dtype == DType::kFloat32 || !has(kCumSumTypes, type.dtype)) continue;
    cases.push_back(cum_sum(type.name, {5, 9}, 1, 0, 0, type.dtype));
    cases.push_back(cum_sum(type.name, {5, 9}, 1, 1, 1, type.dtype));
    cases.back().name += "_reverse_exclusive";
  }
  return cases;
}

std::vector<Numbers> cum_sum_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto [axis, exclusive, reverse] = attributes_of<CumSumAttributes>(c);
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Index index = index_of(y.dims, p);
    Index other = index;
    Number sum = 0;
    for (other[axis] = 0; other[axis] < y.dims[axis]; ++other[axis]) {
      const bool before = reverse != 0 ? other[axis] > index[axis] : other[axis] < index[axis];
      if (before || (exclusive == 0 && other[axis] == index[axis])) sum += at(inputs[0], other);
    }
    y.values[p] = is_float(y.dtype) ? nearest(y.dtype, sum) : wrapped(y.dtype, sum);
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
