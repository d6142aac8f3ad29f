// Cases of lrn: windows smaller and larger than the channels, of odd and even size, layouts, types.
#include <cmath>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

OpCase lrn(const char* name, Operand x, const LrnAttributes& attributes) {
  OpCase c;
  c.name = name;
  c.tolerance = x.dtype == DType::kFloat64 ? 1e-12 : 2e-6;
  c.attributes = words(attributes);
  c.inputs = {x};
  x.specials.clear();
  x.repeated = 0;
  c.outputs = {std::move(x)};
  return c;
}

OpCase of_type(OpCase c, DType type, const char* name) {
  c.name += std::string("_") + name;
  c.inputs[0].dtype = c.outputs[0].dtype = type;
  c.tolerance = type == DType::kFloat64 ? 1e-12 : 2e-6 + half_unit(type);
  return c;
}

}  // namespace

std::vector<OpCase> lrn_cases() {
  const LrnAttributes usual = {1e-4f, 0.75f, 1.0f, 5};
  const LrnAttributes strong = {0.9f, 0.6f, 0.5f, 4};
  std::vector<OpCase> cases = {
      lrn("usual", ranged(channels_last(tensor({1, 9, 3, 4})), -50, 50), usual),
      lrn("even_size", ranged(channels_last(tensor({2, 7, 3, 5})), -3, 3), strong),
      lrn("size_one", ranged(tensor({2, 5, 6}), -3, 3), {0.5f, 0.5f, 2.0f, 1}),
      lrn("wider_than_channels", ranged(tensor({1, 3, 4, 2}), -3, 3), {0.5f, 2.0f, 1.0f, 9}),
      lrn("matrix", ranged(tensor({4, 11}), -3, 3), strong),
      lrn("rank_8", ranged(tensor({1, 4, 2, 1, 3, 1, 2, 2}), -3, 3), strong),
      lrn("zero_base", with_specials(tensor({2, 6, 9}), {0, __builtin_infl()}),
          {1.0f, 0.75f, 0.0f, 1}),
      lrn("nan", with_specials(tensor({2, 6, 9}), {__builtin_nanl("")}), strong),
      lrn("large", ranged(channels_last(tensor({1, 48, 11, 13})), -9, 9), usual),
      lrn("blocks_of_channels", ranged(channels_last(tensor({2, 37, 2, 3})), -9, 9),
          {0.7f, 0.75f, 1.0f, 6}),
      lrn("window_over_all", ranged(channels_last(tensor({1, 18, 3, 2})), -3, 3),
          {0.5f, 0.5f, 1.0f, 41}),
      lrn("few_channels", ranged(channels_last(tensor({1, 2, 4, 3})), -3, 3),
          {0.5f, 1.0f, 1.0f, 9}),
      lrn("nan_of_channels", with_specials(channels_last(tensor({1, 19, 4})), {__builtin_nanl("")}),
          usual),
      lrn("empty", tensor({2, 0, 4}), strong),
  };
  cases.push_back(of_type(cases[1], DType::kFloat16, "float16"));
  cases.push_back(of_type(cases[1], DType::kBfloat16, "bfloat16"));
  cases.push_back(of_type(cases[1], DType::kFloat64, "float64"));
  return cases;
}

std::vector<Numbers> lrn_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<LrnAttributes>(c);
  const Numbers& x = inputs[0];
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    Index index = index_of(y.dims, p);
    const int64_t channel = index[1];
    Number sum = 0;
    for (int64_t k = channel - (a.size - 1) / 2; k <= channel + a.size / 2; ++k) {
      if (k < 0 || k >= y.dims[1]) continue;
      index[1] = static_cast<uint32_t>(k);
      sum += at(x, index) * at(x, index);
    }
    const Number base = Number{a.bias} + Number{a.alpha} / a.size * sum;
    y.values[p] = x.values[p] / std::pow(base, Number{a.beta});
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
