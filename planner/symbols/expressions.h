// Finds expressions over symbols that have given results.
//
// A word of a plan (a dim, a stride, an attribute) is known for some samples: numbers of the
// symbols for which the plan was made. What it is for all numbers is an expression of one of these
// shapes, tried in this order:
//   a + b x + c y ...               of the symbols x, y
//   a + e x + m floor((p x + o) / q) of one symbol x: what strides, padding and rounding make of it
//   u v                             of an expression that was found before, and one of these
// Of the second shape several may have the same results for the samples and others elsewhere: the
// finder then names a number of the symbol for which they differ, to be sampled too.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "core/format.h"
#include "planner/graph/symbol.h"

namespace arenite::planner {

// In place of a result: any number will do, as for the stride of a dim that is 1.
inline constexpr int64_t kAnyResult = -1;

class ExpressionFinder {
 public:
  // The first sample has the most of each symbol. Symbols and samples must outlive it.
  ExpressionFinder(std::span<const Symbol> symbols, std::span<const SymbolNumbers> samples);

  // Results for the samples, in their order.
  using Results = std::vector<int64_t>;

  // The expression with these results, none below 0 but kAnyResult, which the first is not. Nothing
  // where no shape has them.
  std::optional<uint32_t> find(const Results& results);
  // A sample that tells apart what the samples so far do not; nothing where none is needed.
  const std::optional<SymbolNumbers>& wanted_sample() const { return wanted_; }
  const std::vector<format::ExpressionRecord>& expressions() const { return expressions_; }

 private:
  // a + e x + m floor((p x + o) / q).
  struct Steps {
    int64_t a, e, m, p, o, q;
    int64_t at(int64_t x) const { return a + e * x + m * ((p * x + o) / q); }
  };

  std::optional<uint32_t> find(const Results& results, uint32_t depth);
  std::optional<uint32_t> affine(const Results& results);
  std::optional<uint32_t> steps(const Results& results);
  std::optional<Results> divided(const Results& results, uint32_t factor) const;
  std::optional<uint32_t> product(const Results& results, uint32_t depth);
  std::vector<Steps> steps_of(uint32_t symbol, const Results& results) const;
  // Adds those with these e and m that go through the points, results by number.
  static void add_steps_of_height(const std::map<int64_t, int64_t>& points, int64_t e, int64_t m,
                                  std::vector<Steps>& found);
  bool follows_alone(uint32_t symbol, const Results& results) const;
  int64_t slope_along(uint32_t symbol, const Results& results, bool& whole) const;
  void want_difference(uint32_t symbol, std::span<const Steps> found);
  // The sum of all terms; those below 0 are subtracted last.
  uint32_t sum_of(const std::vector<std::pair<uint32_t, int64_t>>& terms, int64_t constant);
  uint32_t add(format::ExpressionKind kind, uint32_t a, uint32_t b);
  uint32_t constant(int64_t number);
  uint32_t symbol(uint32_t index) { return add(format::ExpressionKind::kSymbol, index, 0); }
  uint32_t times(uint32_t expression, int64_t factor);

  std::span<const Symbol> symbols_;
  std::span<const SymbolNumbers> samples_;
  std::vector<format::ExpressionRecord> expressions_;
  std::vector<std::vector<uint32_t>> results_;  // by sample and expression
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> known_;
  std::map<Results, uint32_t> found_;
  std::vector<uint32_t> factors_;  // of products: what was found, in that order
  std::optional<SymbolNumbers> wanted_;
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
