// Cases of slice: steps of either sign on any axes.
#include "tests/ops/cases.h"
#include "tests/ops/movement_cases.h"

namespace arenite::ops_test {
namespace {

struct Range {
  int32_t start, step;
  uint32_t count;
};

OpCase slice(const char* name, Operand x, const std::vector<Range>& ranges) {
  OpCase c;
  c.name = name;
  SliceAttributes a = {};
  for (int32_t& step : a.step) step = 1;
  Operand y = x;
  y.repeated = 0;
  for (size_t d = 0; d < ranges.size(); ++d) {
    a.start[d] = ranges[d].start;
    a.step[d] = ranges[d].step;
    y.dims[d] = ranges[d].count;
  }
  c.attributes = words(a);
  c.inputs = {std::move(x)};
  c.outputs = {std::move(y)};
  return c;
}

}  // namespace

std::vector<OpCase> slice_cases() {
  std::vector<OpCase> cases;
  for (const MovedType& type : kMovedTypes) {
    for (const OpCase& c : {
             slice("inner_part", tensor({5, 9}), {{1, 1, 3}, {2, 1, 5}}),
             slice("strided", tensor({7, 11}), {{0, 2, 4}, {1, 3, 4}}),
             slice("reversed", tensor({4, 6}), {{3, -1, 4}, {5, -1, 6}}),
             slice("reversed_strided", tensor({4, 13}), {{0, 1, 4}, {12, -5, 3}}),
             slice("channels_last", channels_last(tensor({2, 8, 5, 4})),
                   {{1, -1, 2}, {6, -2, 3}, {0, 2, 3}, {1, 1, 2}}),
             slice("one_element", tensor({4, 6}), {{2, -7, 1}, {5, 100, 1}}),
             slice("scalar", tensor({}), {}),
             slice("repeated_input", repeated(tensor({4, 6}), 1), {{3, -2, 2}, {5, -1, 3}}),
             slice("rank_8", tensor({2, 3, 1, 2, 3, 2, 4, 2}),
                   {{1, -1, 2},
                    {0, 2, 2},
                    {0, 1, 1},
                    {1, 1, 1},
                    {2, -1, 3},
                    {0, 1, 2},
                    {3, -3, 2},
                    {0, 1, 2}}),
             slice("large", tensor({3, 200, 99}), {{2, -1, 3}, {1, 1, 190}, {98, -1, 99}}),
             slice("empty", tensor({4, 6}), {{0, 1, 0}, {0, 1, 6}}),
             slice("empty_beyond", tensor({4, 6}), {{4, 1, 0}, {-1, -1, 0}}),
         }) {
      cases.push_back(of_type(c, type));
    }
  }
  return cases;
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
