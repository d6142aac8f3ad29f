// Cases of dft: powers of two and others, real and complex, frames, windows, part of the bins.
#include <cmath>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

constexpr Number kTurn = 6.283185307179586476925286766559L;

struct Frames {
  uint32_t n, count, hop, bins;
  bool window = false, inverse = false;
};

OpCase dft(const char* name, Operand x, const Frames& f) {
  OpCase c;
  c.name = name;
  c.tolerance = x.dtype == DType::kFloat64 ? 1e-12 : 1e-4;
  c.attributes = words(DftAttributes{f.hop, f.inverse ? 1.0f / static_cast<float>(f.n) : 1.0f});
  const bool wide = x.dtype == DType::kFloat64;
  Operand y = tensor({x.dims[0], f.count, f.bins, 2}, x.dtype);
  std::vector<Number> twiddles;
  for (uint32_t i = 0; i < f.n; ++i) {
    const Number angle = kTurn * i / f.n;
    twiddles.push_back(std::cos(angle));
    twiddles.push_back(f.inverse ? std::sin(angle) : -std::sin(angle));
  }
  for (Number& value : twiddles) {
    value = nearest(wide ? DType::kFloat64 : DType::kFloat32, value);
  }
  const DType type = wide ? x.dtype : DType::kFloat32;
  c.inputs = {x, with_values(tensor({f.n, 2}, type), twiddles)};
  if (f.window) c.inputs.push_back(ranged(tensor({f.n}, x.dtype), 0, 1));
  c.outputs = {std::move(y)};
  return c;
}

}  // namespace

std::vector<OpCase> dft_cases() {
  OpCase half = dft("float16", tensor({2, 12, 2}, DType::kFloat16), {12, 1, 0, 12});
  half.tolerance = 1e-4 + 2 * half_unit(DType::kFloat16);
  return {
      dft("real_power", tensor({2, 16, 1}), {16, 1, 0, 16}),
      dft("real_one_sided", tensor({3, 32, 1}), {32, 1, 0, 17}),
      dft("complex_power", tensor({2, 16, 2}), {16, 1, 0, 16}),
      dft("inverse", tensor({2, 8, 2}), {8, 1, 0, 8, false, true}),
      dft("ten", tensor({2, 10, 1}), {10, 1, 0, 10}),
      dft("ten_one_sided", tensor({2, 10, 1}), {10, 1, 0, 6}),
      dft("seven_complex", tensor({1, 7, 2}), {7, 1, 0, 7}),
      dft("padded", tensor({2, 11, 1}), {16, 1, 0, 9}),
      dft("cut_off", tensor({2, 21, 1}), {16, 1, 0, 9}),
      dft("one", tensor({3, 1, 2}), {1, 1, 0, 1}),
      dft("two", tensor({3, 2, 1}), {2, 1, 0, 2}),
      dft("few_bins", tensor({2, 16, 2}), {16, 1, 0, 5}),
      dft("frames", tensor({2, 61, 1}), {16, 6, 9, 9, true}),
      dft("complex_frames", tensor({2, 40, 2}), {8, 5, 8, 8, true}),
      dft("frames_beyond", tensor({1, 20, 1}), {8, 6, 5, 5}),
      dft("odd_frames", tensor({2, 30, 1}), {9, 4, 7, 5, true}),
      dft("float64", tensor({2, 32, 1}, DType::kFloat64), {32, 1, 0, 17}),
      dft("large", tensor({1, 900, 1}), {256, 9, 80, 129, true}),
      dft("empty", tensor({0, 16, 1}), {16, 1, 0, 9}),
      half,
  };
}

std::vector<Numbers> dft_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<DftAttributes>(c);
  const Numbers& x = inputs[0];
  const uint32_t n = inputs[1].dims[0];
  const bool inverse = a.scale != 1.0f;
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    const Index to = index_of(y.dims, p);
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t from = to[1] * a.hop + i;
      if (from >= x.dims[1]) break;
      Number re = at(x, {to[0], from, 0});
      Number im = x.dims[2] == 2 ? at(x, {to[0], from, 1}) : 0;
      if (inputs.size() > 2) {
        re *= inputs[2].values[i];
        im *= inputs[2].values[i];
      }
      const Number angle = (inverse ? kTurn : -kTurn) * (uint64_t{i} * to[2] % n) / n;
      y.values[p] += (to[3] == 0 ? re * std::cos(angle) - im * std::sin(angle)
                                 : re * std::sin(angle) + im * std::cos(angle)) *
                     Number{a.scale};
    }
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
