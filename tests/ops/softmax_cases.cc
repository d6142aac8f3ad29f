// Cases of family softmax: one axis and several, every position, extremes.
#include <cmath>
#include <limits>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

OpCase softmax(const char* name, Operand x, uint32_t axes) {
  OpCase c;
  c.name = name;
  c.tolerance = 1e-6;
  c.attributes = words(SoftmaxAttributes{axes});
  c.inputs = {x};
  x.specials.clear();
  x.repeated = 0;
  c.outputs = {std::move(x)};
  return c;
}

// Positions of `x` that agree with `index` outside the axes of the mask.
std::vector<uint64_t> along(const Numbers& x, uint32_t axes, const Index& index) {
  std::vector<uint64_t> positions;
  for (uint64_t p = 0; p < x.values.size(); ++p) {
    const Index other = index_of(x.dims, p);
    bool same = true;
    for (size_t d = 0; d < other.size(); ++d) {
      same = same && ((axes >> d & 1u) != 0 || other[d] == index[d]);
    }
    if (same) positions.push_back(p);
  }
  return positions;
}

std::vector<OpCase> family_cases() {
  return {
      softmax("vector", ranged(tensor({10}), -5, 5), 1),
      softmax("rows", ranged(tensor({4, 37}), -5, 5), 0b10),
      softmax("columns", ranged(tensor({4, 37}), -5, 5), 0b01),
      softmax("channels", ranged(channels_last(tensor({2, 5, 3, 4})), -5, 5), 0b0010),
      softmax("middle", ranged(tensor({3, 5, 4}), -5, 5), 0b010),
      softmax("all_axes", ranged(tensor({3, 5, 4}), -5, 5), 0b111),
      softmax("last_two", ranged(tensor({3, 5, 4}), -5, 5), 0b110),
      softmax("outer_and_inner", ranged(tensor({3, 5, 4}), -5, 5), 0b101),
      softmax("no_axes", tensor({3, 5}), 0),
      softmax("scalar", tensor({}), 0),
      softmax("one_element", tensor({2, 1}), 0b10),
      softmax("rank_8", tensor({2, 1, 3, 2, 1, 2, 3, 2}), 0b10010100),
      softmax("wide_range", ranged(tensor({3, 50}), -400, 400), 0b10),
      softmax("infinities", with_specials(tensor({3, 21}), {-__builtin_infl()}), 0b10),
      softmax("nan",
              with_values(tensor({3, 2}), {1, 2, __builtin_nanl(""), 0, __builtin_infl(), 1}),
              0b10),
      softmax("repeated_input", repeated(tensor({4, 6}), 0b01), 0b10),
      softmax("large", ranged(tensor({60, 130}), -9, 9), 0b10),
      softmax("pairs", ranged(tensor({37, 2}), -9, 9), 0b10),
      softmax("short_rows", ranged(tensor({3, 21, 7}), -9, 9), 0b100),
      softmax("short_rows_wide_range", ranged(tensor({40, 5}), -400, 400), 0b10),
      softmax("short_rows_infinities", with_specials(tensor({19, 5}), {-__builtin_infl()}), 0b10),
      softmax("short_rows_nan",
              with_values(tensor({5, 2}),
                          {1, 2, __builtin_nanl(""), 0, __builtin_infl(), 1, -3, 4, 5, 5}),
              0b10),
      softmax("planes", ranged(tensor({2, 6, 5, 9}), -9, 9), 0b0010),
      softmax("many_columns", ranged(tensor({21, 50}), -5, 5), 0b01),
      softmax("columns_infinities", with_specials(tensor({4, 33}), {-__builtin_infl()}), 0b01),
      softmax("short_rows_of_pixels", ranged(channels_last(tensor({1, 4, 5, 8})), -5, 5), 0b0010),
      softmax("large_pairs", ranged(tensor({4000, 2}), -9, 9), 0b10),
      softmax("empty", tensor({3, 0}), 0b10),
      softmax("empty_outside", tensor({0, 3}), 0b10),
  };
}

// Calls finish(x - max, sum of the exponentials) for each element.
template <typename F>
std::vector<Numbers> family_oracle(const OpCase& c, const Numbers& x, F finish) {
  const uint32_t axes = attributes_of<SoftmaxAttributes>(c).axes;
  Numbers y = blank_output(c, 0);
  std::vector<bool> done(y.values.size());
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    if (done[p]) continue;
    const std::vector<uint64_t> group = along(x, axes, index_of(y.dims, p));
    Number max = -std::numeric_limits<Number>::infinity();
    for (uint64_t q : group) max = std::fmax(max, x.values[q]);
    Number sum = 0;
    for (uint64_t q : group) sum += std::exp(x.values[q] - max);
    for (uint64_t q : group) {
      y.values[q] = finish(x.values[q] - max, sum);
      done[q] = true;
    }
  }
  return {y};
}

}  // namespace

std::vector<OpCase> softmax_cases() { return family_cases(); }

std::vector<Numbers> softmax_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  return family_oracle(c, inputs[0], [](Number x, Number sum) { return std::exp(x) / sum; });
}

std::vector<OpCase> log_softmax_cases() { return family_cases(); }

std::vector<Numbers> log_softmax_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  return family_oracle(c, inputs[0], [](Number x, Number sum) { return x - std::log(sum); });
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
