// Computes with dims: numbers, and multiples of counts.
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
  const int64_t sum = wrapped(number_, by.number_, std::plus<>());
  if (is_number() && by.is_number()) return *this = sum;
  if (goes_with(by)) return *this = {sum, times_ + by.times_, count_};
  if (by.is_number() && by.number_ == 0) return *this;
  if (is_number() && number_ == 0) return *this = by;
  return *this = mixed(sum);
}

Dim& Dim::operator-=(const Dim& by) {
  if (is_number() && by.is_number()) return *this = wrapped(number_, by.number_, std::minus<>());
  if (goes_with(by)) {
    if (times_ == by.times_) return *this = 0;
    const int64_t times = times_ - by.times_;
    return *this = times > 0 ? Dim(number_ - by.number_, times, count_) : mixed(0);
  }
  if (by.is_number() && by.number_ == 0) return *this;
  return *this = mixed(wrapped(number_, by.least(), std::minus<>()));
}

Dim& Dim::operator*=(const Dim& by) {
  const int64_t product = wrapped(number_, by.number_, std::multiplies<>());
  if (is_number() && by.is_number()) return *this = product;
  if ((is_number() && number_ == 0) || (by.is_number() && by.number_ == 0)) return *this = 0;
  if (by.is_number() && count_ != kMixed) {
    return *this = {product, wrapped(times_, by.number_, std::multiplies<>()), count_};
  }
  if (is_number() && by.count_ != kMixed) {
    return *this = {product, wrapped(by.times_, number_, std::multiplies<>()), by.count_};
  }
  return *this = mixed(product);
}

Dim& Dim::operator/=(const Dim& by) { return *this = *this / by; }

Dim operator+(const Dim& a, const Dim& b) { return Dim(a) += b; }
Dim operator-(const Dim& a, const Dim& b) { return Dim(a) -= b; }
Dim operator*(const Dim& a, const Dim& b) { return Dim(a) *= b; }

Dim operator/(const Dim& a, const Dim& b) {
  ARENITE_ASSERT(b.number_ != 0);
  if (a.is_number() && b.is_number()) return a.number_ / b.number_;
  if (a.goes_with(b) && a.times_ % b.times_ == 0) return a.times_ / b.times_;
  if (b.is_number() && b.number_ == 1) return a;
  if (b.is_number() && a.count_ != Dim::kMixed && a.times_ % b.number_ == 0) {
    return {a.number_ / b.number_, a.times_ / b.number_, a.count_};
  }
  return Dim::mixed(b.is_number() ? a.number_ / b.number_ : a.number_);
}

Dim operator%(const Dim& a, const Dim& b) {
  ARENITE_ASSERT(b.number_ != 0);
  if (a.is_number() && b.is_number()) return a.number_ % b.number_;
  if (a.goes_with(b) && a.times_ % b.times_ == 0) return 0;
  if (b.is_number() && a.count_ != Dim::kMixed && a.times_ % b.number_ == 0) return 0;
  return Dim::mixed(b.number_ - 1);
}

Dim ceil_div(const Dim& a, const Dim& b) { return (a + b - 1) / b; }

Dim max(const Dim& a, const Dim& b) {
  if (always(a >= b) || (!a.is_number() && b.is_number() && b.number_ <= 1)) return a;
  if (always(b >= a) || (!b.is_number() && a.is_number() && a.number_ <= 1)) return b;
  return Dim::mixed(std::max(a.number_, b.number_));
}

Dim min(const Dim& a, const Dim& b) {
  if (always(a <= b)) return a;
  if (always(b <= a)) return b;
  return Dim::mixed(std::min(a.number_, b.number_));
}

Comparison operator==(const Dim& a, const Dim& b) {
  if (a.is_number() && b.is_number()) return Comparison(a.number_ == b.number_);
  if (a.goes_with(b) && a.times_ == b.times_) return Comparison(true);
  const auto is_told_apart = [](const Dim& number, const Dim& other) {
    return number.is_number() && (number.number_ <= 1 || number.number_ > other.number_);
  };
  if (is_told_apart(a, b) || is_told_apart(b, a)) return Comparison(false);
  return {Truth::kDepends, dim_text(a) + " == " + dim_text(b)};
}

Comparison operator<(const Dim& a, const Dim& b) {
  if (a.goes_with(b)) return Comparison(a.times_ < b.times_);
  if (a.number_ < b.least()) return Comparison(true);
  if (a.least() >= b.number_) return Comparison(false);
  if (a.is_number() && b.is_number()) return Comparison(a.number_ < b.number_);
  // A count is neither 0 nor 1.
  if (a.is_number() && a.number_ <= 1) return Comparison(true);
  if (b.is_number() && b.number_ <= 2) return Comparison(false);
  return {Truth::kDepends, dim_text(a) + " < " + dim_text(b)};
}

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

int64_t baked(const Dim& dim, std::string_view why) {
  if (!dim.is_number()) {
    throw UnsupportedError(std::string(why) + " needs a number, and a dim of " + dim_text(dim) +
                               " depends on the data of each run",
                           kCutBefore);
  }
  return dim.number_;
}

std::optional<Multiple> multiple_of(const Dim& dim) {
  if (dim.is_number() || is_mixed(dim)) return std::nullopt;
  return Multiple{dim.count_, dim.times_};
}

bool is_mixed(const Dim& dim) { return dim.count_ == Dim::kMixed; }

std::string dim_text(const Dim& dim) {
  return (dim.is_number() ? "" : "0..") + std::to_string(dim.number_);
}

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

Dim product(const Dims& dims) { return product(dims, 0, dims.size()); }

Dim product(const Dims& dims, size_t first, size_t last) {
  Dim result = 1;
  for (size_t i = first; i < last; ++i) result *= dims[i];
  return result;
}

bool has_count(const Dims& dims) {
  return std::any_of(dims.begin(), dims.end(),
                     [](const Dim& dim) { return multiple_of(dim).has_value(); });
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
