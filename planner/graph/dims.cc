// Computes with the numbers that dims are.
#include "planner/graph/dims.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "core/assert.h"

namespace arenite::planner {
namespace {

// Sizes beside a size of 0 may be anything: their product must not be undefined.
template <typename Operation>
int64_t wrapped(int64_t a, int64_t b, Operation operation) {
  return static_cast<int64_t>(operation(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
}

Comparison negated(const Comparison& c, const std::string& what) {
  if (c.truth() == Truth::kDepends) return {Truth::kDepends, what};
  return Comparison(never(c));
}

}  // namespace

Comparison::operator bool() const {
  if (truth_ == Truth::kDepends) {
    throw UnsupportedError("whether " + what_ + " depends on the run, and has to be known before",
                           "dims that are numbers");
  }
  return truth_ == Truth::kAlways;
}

Dim& Dim::operator+=(const Dim& by) {
  number_ = wrapped(number_, by.number_, std::plus<>());
  return *this;
}

Dim& Dim::operator-=(const Dim& by) {
  number_ = wrapped(number_, by.number_, std::minus<>());
  return *this;
}

Dim& Dim::operator*=(const Dim& by) {
  number_ = wrapped(number_, by.number_, std::multiplies<>());
  return *this;
}

Dim& Dim::operator/=(const Dim& by) { return *this = *this / by; }

Dim operator+(const Dim& a, const Dim& b) { return Dim(a) += b; }
Dim operator-(const Dim& a, const Dim& b) { return Dim(a) -= b; }
Dim operator*(const Dim& a, const Dim& b) { return Dim(a) *= b; }

Dim operator/(const Dim& a, const Dim& b) {
  ARENITE_ASSERT(b.number_ != 0);
  return a.number_ / b.number_;
}

Dim operator%(const Dim& a, const Dim& b) {
  ARENITE_ASSERT(b.number_ != 0);
  return a.number_ % b.number_;
}

Dim ceil_div(const Dim& a, const Dim& b) { return (a + b - 1) / b; }
Dim max(const Dim& a, const Dim& b) { return std::max(a.number_, b.number_); }
Dim min(const Dim& a, const Dim& b) { return std::min(a.number_, b.number_); }

Comparison operator==(const Dim& a, const Dim& b) { return Comparison(a.number_ == b.number_); }
Comparison operator<(const Dim& a, const Dim& b) { return Comparison(a.number_ < b.number_); }

Comparison operator!=(const Dim& a, const Dim& b) {
  return negated(a == b, dim_text(a) + " != " + dim_text(b));
}
Comparison operator>(const Dim& a, const Dim& b) { return b < a; }
Comparison operator<=(const Dim& a, const Dim& b) {
  return negated(b < a, dim_text(a) + " <= " + dim_text(b));
}
Comparison operator>=(const Dim& a, const Dim& b) {
  return negated(a < b, dim_text(a) + " >= " + dim_text(b));
}

int64_t bound(const Dim& dim) { return dim.number_; }
int64_t baked(const Dim& dim, std::string_view) { return dim.number_; }
std::string dim_text(const Dim& dim) { return std::to_string(dim.number_); }

Comparison operator==(const Dims& a, const Dims& b) {
  Comparison all(a.size() == b.size());
  for (size_t i = 0; i < a.size() && !never(all); ++i) {
    const Comparison one = a[i] == b[i];
    if (!always(one)) all = one;
  }
  return all;
}

Comparison operator!=(const Dims& a, const Dims& b) {
  return negated(a == b, "one of two lists of dims differ");
}

Dim product(const Dims& dims) {
  Dim result = 1;
  for (const Dim& dim : dims) result *= dim;
  return result;
}

std::vector<uint32_t> bounds(const Dims& dims) {
  std::vector<uint32_t> numbers;
  numbers.reserve(dims.size());
  for (const Dim& dim : dims) {
    const int64_t number = bound(dim);
    ARENITE_ASSERT(number >= 0 && number <= std::numeric_limits<uint32_t>::max());
    numbers.push_back(static_cast<uint32_t>(number));
  }
  return numbers;
}

std::vector<int64_t> baked(const Dims& dims, std::string_view why) {
  std::vector<int64_t> numbers;
  for (const Dim& dim : dims) numbers.push_back(baked(dim, why));
  return numbers;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
