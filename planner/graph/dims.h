// Dims of values: arithmetic that keeps them dims, comparisons that say whether they always hold,
// and the ways in which a number comes out.
//
// A dim is a number, or a count that each run makes, which has a bound: so many of the bound's rows
// hold results (planner/graph/counts.h). No dim turns into a number by itself:
// - bound(), bounds(): the number, or the largest that it can be. For bytes, strides and storage.
// - baked(): the number, or an obstacle. For what is fixed when planning ends: a table, an
//   attribute, the elements of a constant, a loop over elements.
// - dim_text(), dims_text(): for messages.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/graph/unsupported.h"

namespace arenite::planner {

enum class Truth : uint8_t { kNever, kAlways, kDepends };

// A dim that is so many times a count.
struct Multiple {
  uint32_t count;
  int64_t times;
  bool operator==(const Multiple&) const = default;
};

// What two dims, or two lists of dims, are to each other. As a condition it is asked: that throws
// where the answer depends on the run, and the obstacle names what was compared. Rewrites, which
// may leave things as they are, say always() or never() instead.
class Comparison {
 public:
  explicit Comparison(bool holds) : truth_(holds ? Truth::kAlways : Truth::kNever) {}
  // `what` for messages: "n == 4".
  Comparison(Truth truth, std::string what) : truth_(truth), what_(std::move(what)) {}

  Truth truth() const { return truth_; }
  // Throws UnsupportedError where it depends.
  explicit operator bool() const;

 private:
  Truth truth_;
  std::string what_;
};

inline bool always(const Comparison& c) { return c.truth() == Truth::kAlways; }
inline bool never(const Comparison& c) { return c.truth() == Truth::kNever; }
inline bool asked(const Comparison& c) { return static_cast<bool>(c); }

// One dim, or what dims are computed from and with. It may be negative on the way, and wraps where
// it leaves 64 bits.
//
// A count never equals 0 or 1, whatever a run makes of it, because shapes follow other rules there.
// Multiples of a count are dims too; of a sum or quotient that is
// none only the bound is known, and no value may have it.
class Dim {
 public:
  Dim() = default;
  template <std::integral T>
  requires(!std::same_as<T, bool>) Dim(T number) : number_(static_cast<int64_t>(number)) {}
  // Count number `count` of the graph, at most `bound`.
  static Dim counted(uint32_t count, int64_t bound) { return {bound, 1, count}; }

  Dim& operator+=(const Dim& by);
  Dim& operator-=(const Dim& by);
  Dim& operator*=(const Dim& by);
  Dim& operator/=(const Dim& by);

 private:
  Dim(int64_t bound, int64_t times, uint32_t count)
      : number_(bound), times_(times), count_(count) {}
  static Dim mixed(int64_t bound) { return {bound, 0, kMixed}; }
  bool is_number() const { return count_ == kNoCount; }
  // A multiple of one count, the same one as the other's.
  bool goes_with(const Dim& other) const { return count_ == other.count_ && count_ < kMixed; }
  int64_t least() const { return is_number() ? number_ : 0; }

  friend bool is_mixed(const Dim& dim);
  friend std::optional<Multiple> multiple_of(const Dim& dim);
  friend int64_t bound(const Dim& dim);
  friend int64_t baked(const Dim& dim, std::string_view why);
  friend std::string dim_text(const Dim& dim);
  friend Dim operator/(const Dim& a, const Dim& b);
  friend Dim operator%(const Dim& a, const Dim& b);
  friend Dim max(const Dim& a, const Dim& b);
  friend Dim min(const Dim& a, const Dim& b);
  friend Comparison operator==(const Dim& a, const Dim& b);
  friend Comparison operator<(const Dim& a, const Dim& b);

  static constexpr uint32_t kNoCount = 0xffffffffu;
  static constexpr uint32_t kMixed = 0xfffffffeu;

  int64_t number_ = 0;  // or the bound
  int64_t times_ = 1;   // the dim is so many times the count
  uint32_t count_ = kNoCount;
};

Dim operator+(const Dim& a, const Dim& b);
Dim operator-(const Dim& a, const Dim& b);
Dim operator*(const Dim& a, const Dim& b);
// Rounded towards 0, and what that leaves, as of numbers. `b` is not 0.
Dim operator/(const Dim& a, const Dim& b);
Dim operator%(const Dim& a, const Dim& b);
// Rounded up; of a >= 0 and b > 0.
Dim ceil_div(const Dim& a, const Dim& b);
Dim max(const Dim& a, const Dim& b);
Dim min(const Dim& a, const Dim& b);

Comparison operator==(const Dim& a, const Dim& b);
Comparison operator!=(const Dim& a, const Dim& b);
Comparison operator<(const Dim& a, const Dim& b);
Comparison operator>(const Dim& a, const Dim& b);
Comparison operator<=(const Dim& a, const Dim& b);
Comparison operator>=(const Dim& a, const Dim& b);

// The number, or the largest that the dim can be.
int64_t bound(const Dim& dim);
// The number that `why` needs, a noun with its article: "the table of a resize". Throws
// UnsupportedError where the dim is none.
int64_t baked(const Dim& dim, std::string_view why);
// The count that a dim is a multiple of; nothing where it is a number, or mixed.
std::optional<Multiple> multiple_of(const Dim& dim);
// Whether only a bound is known of it.
bool is_mixed(const Dim& dim);
// "224"; "0..100" of a count.
std::string dim_text(const Dim& dim);

// The dims of a value, outermost first. Lists of numbers turn into dims, not the other way round.
class Dims : std::vector<Dim> {
 public:
  using vector::assign;
  using vector::at;
  using vector::back;
  using vector::begin;
  using vector::clear;
  using vector::const_iterator;
  using vector::const_reference;
  using vector::difference_type;
  using vector::empty;
  using vector::end;
  using vector::erase;
  using vector::front;
  using vector::insert;
  using vector::iterator;
  using vector::pop_back;
  using vector::push_back;
  using vector::reference;
  using vector::resize;
  using vector::size;
  using vector::size_type;
  using vector::value_type;
  using vector::operator[];

  Dims() = default;
  Dims(std::initializer_list<Dim> dims) : vector(dims) {}
  explicit Dims(size_t rank, const Dim& each) : vector(rank, each) {}
  template <std::input_iterator It>
  Dims(It first, It last) : vector(first, last) {}
  template <std::integral T>
  Dims(const std::vector<T>& numbers) : vector(numbers.begin(), numbers.end()) {}
};

// Dims of two ranks are never equal.
Comparison operator==(const Dims& a, const Dims& b);
Comparison operator!=(const Dims& a, const Dims& b);

// The number of elements: 1 for a scalar; and the product of the dims in [first, last).
Dim product(const Dims& dims);
Dim product(const Dims& dims, size_t first, size_t last);

// Whether one of the dims is a multiple of a count.
bool has_count(const Dims& dims);

// Where dims become sizes: bound() of each. None may be negative.
std::vector<uint32_t> bounds(const Dims& dims);
std::vector<int64_t> baked(const Dims& dims, std::string_view why);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
