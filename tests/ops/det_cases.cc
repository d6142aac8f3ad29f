// Cases of det: sizes, singular matrices, pivots, layouts, types.
#include <cmath>

#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

OpCase det(const char* name, Operand x) {
  OpCase c;
  c.name = name;
  c.tolerance = x.dtype == DType::kFloat64 ? 1e-11 : 1e-4 + 8 * half_unit(x.dtype);
  std::vector<uint32_t> dims(x.dims.begin(), x.dims.end() - 2);
  c.outputs = {tensor(dims, x.dtype)};
  c.inputs = {std::move(x)};
  return c;
}

}  // namespace

std::vector<OpCase> det_cases() {
  return {
      det("two", tensor({2, 2})),
      det("batch", tensor({3, 2, 4, 4})),
      det("twelve", tensor({2, 12, 12})),
      det("one", tensor({5, 1, 1})),
      det("zeros_in_front", with_values(tensor({3, 3}), {0, 2, 1, 3, 0, 1, 4, 1, 0})),
      det("singular", with_values(tensor({3, 3}), {1, 2, 3, 2, 4, 6, 1, 1, 1})),
      det("no_rows", tensor({2, 0, 0})),
      det("no_matrices", tensor({0, 3, 3})),
      det("float64", tensor({2, 5, 5}, DType::kFloat64)),
      det("float16", tensor({2, 3, 3}, DType::kFloat16)),
      det("large", tensor({60, 9, 9})),
  };
}

namespace {

// Computes the determinant by elimination in long doubles.
Number determinant(std::vector<std::vector<Number>> m) {
  const size_t n = m.size();
  Number result = 1;
  for (size_t k = 0; k < n; ++k) {
    size_t pivot = k;
    for (size_t r = k; r < n; ++r) {
      if (std::abs(m[r][k]) > std::abs(m[pivot][k])) pivot = r;
    }
    if (m[pivot][k] == 0) return 0;
    if (pivot != k) result = -result;
    std::swap(m[k], m[pivot]);
    result *= m[k][k];
    for (size_t r = k + 1; r < n; ++r) {
      for (size_t c = n; c-- > k;) m[r][c] -= m[r][k] / m[k][k] * m[k][c];
    }
  }
  return result;
}

}  // namespace

std::vector<Numbers> det_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  Numbers y = blank_output(c, 0);
  const size_t n = inputs[0].dims.back();
  for (size_t p = 0; p < y.values.size(); ++p) {
    std::vector<std::vector<Number>> m(n, std::vector<Number>(n));
    for (size_t i = 0; i < n * n; ++i) m[i / n][i % n] = inputs[0].values[p * n * n + i];
    y.values[p] = determinant(m);
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
