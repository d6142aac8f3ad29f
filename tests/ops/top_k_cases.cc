// Cases of top_k: each axis, both ends of the order, equal elements, NaN.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

OpCase top_k(const char* name, const std::vector<uint32_t>& dims, uint32_t axis, uint32_t k,
             uint32_t smallest = 0, DType type = DType::kFloat32) {
  OpCase c;
  c.name = name;
  c.attributes = words(TopKAttributes{axis, smallest});
  std::vector<uint32_t> y = dims;
  y[axis] = k;
  // Whole numbers, so that there are equal ones.
  c.inputs = {tensor(dims, type)};
  if (!is_float(type))
    c.inputs[0] = ranged(std::move(c.inputs[0]), lowest_of(type) < 0 ? -9 : 0, 9);
  c.outputs = {tensor(y, type), tensor(y, DType::kInt64)};
  return c;
}

}  // namespace

std::vector<OpCase> top_k_cases() {
  std::vector<OpCase> cases = {
      top_k("vector", {23}, 0, 5),        top_k("one", {23}, 0, 1),
      top_k("all", {23}, 0, 23),          top_k("smallest", {5, 17}, 1, 4, 1),
      top_k("first_axis", {17, 5}, 0, 6), top_k("middle_axis", {3, 9, 4}, 1, 4),
      top_k("none", {3, 5}, 1, 0),        top_k("rank_8", {2, 1, 2, 5, 1, 2, 2, 1}, 3, 2),
      top_k("large", {9, 1000}, 1, 30),
  };
  for (const uint32_t smallest : {0u, 1u}) {
    OpCase special =
        top_k(smallest == 0 ? "specials" : "specials_smallest", {4, 25}, 1, 20, smallest);
    special.inputs[0].specials = {__builtin_nanl(""), __builtin_infl(), -__builtin_infl(), 0.0L,
                                  -0.0L};
    cases.push_back(special);
  }
  // All of rows of few different numbers.
  for (const uint32_t smallest : {0u, 1u}) {
    OpCase flags =
        top_k(smallest == 0 ? "flags" : "flags_smallest", {3, 70}, 1, 70, smallest, DType::kInt32);
    flags.inputs[0] = ranged(flags.inputs[0], 0, 1);
    cases.push_back(flags);
    OpCase special =
        top_k(smallest == 0 ? "all_specials" : "all_specials_smallest", {4, 25}, 1, 25, smallest);
    special.inputs[0].specials = {__builtin_nanl(""), 0.0L, -0.0L};
    cases.push_back(special);
  }
  for (const NamedType& type : kAllTypes) {
    if (type.dtype == DType::kFloat32 || type.dtype == DType::kBool) continue;
    cases.push_back(top_k(type.name, {5, 19}, 1, 7, 0, type.dtype));
    cases.push_back(top_k(type.name, {5, 19}, 1, 7, 1, type.dtype));
    cases.back().name += "_smallest";
  }
  return cases;
}

std::vector<Numbers> top_k_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto [axis, smallest] = attributes_of<TopKAttributes>(c);
  const Numbers& x = inputs[0];
  Numbers values = blank_output(c, 0), indices = blank_output(c, 1);
  for (uint64_t p = 0; p < values.values.size(); ++p) {
    Index index = index_of(values.dims, p);
    const uint32_t place = index[axis];
    std::vector<Number> row;
    for (index[axis] = 0; index[axis] < x.dims[axis]; ++index[axis]) row.push_back(at(x, index));
    std::vector<size_t> order(row.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&, least = smallest != 0](size_t a, size_t b) {
      const auto rank = [&](size_t i) {
        return std::isnan(row[i]) ? std::pair(1, Number{0}) : std::pair(0, row[i]);
      };
      return least ? rank(a) < rank(b) : rank(b) < rank(a);
    });
    values.values[p] = row[order[place]];
    indices.values[p] = static_cast<Number>(order[place]);
  }
  return {values, indices};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
