// Tries the shapes on the samples; writes what is found as records in the order of evaluation.
#include "planner/symbols/expressions.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "core/symbols.h"

namespace arenite::planner {
namespace {

using format::ExpressionKind;

// Strides of several layers multiply.
constexpr int64_t kDivisorMax = 64;
constexpr int64_t kFactorMax = 4;   // of a symbol inside a quotient
constexpr int64_t kStepMax = 4096;  // of a quotient; greater ones are products
constexpr size_t kFoundMax = 64;
constexpr uint32_t kProductDepthMax = 4;
// Two quotients that differ do so within the product of their divisors.
constexpr int64_t kScanned = kDivisorMax * kDivisorMax;

bool is_constant(std::span<const int64_t> results) {
  return std::ranges::all_of(results,
                             [&](int64_t r) { return r == results[0] || r == kAnyResult; });
}

}  // namespace

ExpressionFinder::ExpressionFinder(std::span<const Symbol> symbols,
                                   std::span<const SymbolNumbers> samples)
    : symbols_(symbols), samples_(samples), results_(samples.size()) {}

std::optional<uint32_t> ExpressionFinder::find(const Results& results) { return find(results, 0); }

std::optional<uint32_t> ExpressionFinder::find(const Results& results, uint32_t depth) {
  const auto known = found_.find(results);
  if (known != found_.end()) return known->second;
  if (std::ranges::any_of(results, [](int64_t r) { return r < kAnyResult; })) {
    return std::nullopt;
  }
  std::optional<uint32_t> expression;
  if (is_constant(results)) {
    expression = constant(results[0]);
  } else {
    expression = affine(results);
    if (!expression) expression = steps(results);
    if (!expression && depth < kProductDepthMax) expression = product(results, depth);
    if (expression) factors_.push_back(*expression);
  }
  if (expression) found_.emplace(results, *expression);
  return expression;
}

// Between the first sample and one that differs in nothing else; 0 where there is none.
int64_t ExpressionFinder::slope_along(uint32_t symbol, const Results& results, bool& whole) const {
  for (size_t i = 1; i < samples_.size(); ++i) {
    SymbolNumbers same = samples_[i];
    same[symbol] = samples_[0][symbol];
    if (same != samples_[0] || samples_[i] == samples_[0] || results[i] == kAnyResult) continue;
    const int64_t apart = int64_t{samples_[0][symbol]} - samples_[i][symbol];
    const int64_t difference = results[0] - results[i];
    whole = whole && difference % apart == 0;
    return difference / apart;
  }
  return 0;
}

std::optional<uint32_t> ExpressionFinder::affine(const Results& results) {
  std::vector<std::pair<uint32_t, int64_t>> terms;
  int64_t rest = results[0];
  std::vector<int64_t> slopes(symbols_.size());
  bool whole = true;
  for (uint32_t s = 0; s < symbols_.size(); ++s) {
    slopes[s] = slope_along(s, results, whole);
    rest -= slopes[s] * samples_[0][s];
  }
  if (!whole) return std::nullopt;
  for (size_t i = 0; i < samples_.size(); ++i) {
    int64_t sum = rest;
    for (uint32_t s = 0; s < symbols_.size(); ++s) sum += slopes[s] * samples_[i][s];
    if (results[i] != sum && results[i] != kAnyResult) return std::nullopt;
  }
  for (uint32_t s = 0; s < symbols_.size(); ++s) {
    if (slopes[s] != 0) terms.emplace_back(symbol(s), slopes[s]);
  }
  return sum_of(terms, rest);
}

// Whether the results are the same wherever that symbol is.
bool ExpressionFinder::follows_alone(uint32_t symbol, const Results& results) const {
  std::map<uint32_t, int64_t> by_number;
  for (size_t i = 0; i < samples_.size(); ++i) {
    if (results[i] == kAnyResult) continue;
    if (by_number.emplace(samples_[i][symbol], results[i]).first->second != results[i]) {
      return false;
    }
  }
  return true;
}

std::vector<ExpressionFinder::Steps> ExpressionFinder::steps_of(uint32_t symbol,
                                                                const Results& results) const {
  std::map<int64_t, int64_t> points;
  for (size_t i = 0; i < samples_.size(); ++i) {
    if (results[i] != kAnyResult) points.emplace(samples_[i][symbol], results[i]);
  }
  if (points.size() < 3) return {};
  const auto [x0, w0] = *points.begin();
  const auto [x1, w1] = *points.rbegin();
  std::vector<Steps> found;
  for (const int64_t e : {0, -1, 1, -2, 2}) {
    // What is left are steps of one height, which divides all differences.
    int64_t heights = 0;
    for (const auto& [x, w] : points) heights = std::gcd(heights, w - w0 - e * (x - x0));
    const double slope = static_cast<double>(w1 - w0) / static_cast<double>(x1 - x0);
    for (int64_t m = 1; m <= std::min(heights, kStepMax); ++m) {
      if (heights % m != 0) continue;
      const int64_t height = slope < static_cast<double>(e) ? -m : m;
      add_steps_of_height(points, e, height, found);
      if (found.size() > kFoundMax) return found;
    }
  }
  return found;
}

void ExpressionFinder::add_steps_of_height(const std::map<int64_t, int64_t>& points, int64_t e,
                                           int64_t m, std::vector<Steps>& found) {
  const auto [x0, w0] = *points.begin();
  const auto [x1, w1] = *points.rbegin();
  const int64_t count = (w1 - w0 - e * (x1 - x0)) / m;  // of steps from end to end
  for (int64_t q = 2; q <= kDivisorMax; ++q) {
    for (int64_t p = 1; p <= kFactorMax; ++p) {
      // Ends of a range may lie anywhere within a step.
      if (std::gcd(p, q) != 1 || std::abs(p * (x1 - x0) - count * q) > q) continue;
      for (int64_t o = 0; o < q; ++o) {
        Steps steps{0, e, m, p, o, q};
        steps.a = w0 - steps.at(x0);
        const bool fits = std::ranges::all_of(
            points, [&](const auto& point) { return steps.at(point.first) == point.second; });
        if (fits) found.push_back(steps);
      }
    }
  }
}

// Names a number for which two of them differ.
void ExpressionFinder::want_difference(uint32_t symbol, std::span<const Steps> found) {
  if (wanted_.has_value()) return;
  const int64_t least = symbols_[symbol].least, most = symbols_[symbol].most;
  for (int64_t x = least; x <= most; ++x) {
    if (x == least + kScanned) x = std::max(x, most - kScanned);
    const bool same = std::ranges::all_of(
        found, [&](const Steps& steps) { return steps.at(x) == found[0].at(x); });
    if (same) continue;
    wanted_ = samples_[0];
    (*wanted_)[symbol] = static_cast<uint32_t>(x);
    return;
  }
}

std::optional<uint32_t> ExpressionFinder::steps(const Results& results) {
  for (uint32_t s = 0; s < symbols_.size(); ++s) {
    if (!follows_alone(s, results)) continue;
    const std::vector<Steps> found = steps_of(s, results);
    if (found.empty()) continue;
    want_difference(s, found);
    const Steps& best = found[0];
    uint32_t inner = times(symbol(s), best.p);
    if (best.o != 0) inner = add(ExpressionKind::kAdd, inner, constant(best.o));
    const uint32_t quotient = add(ExpressionKind::kDivide, inner, constant(best.q));
    std::vector<std::pair<uint32_t, int64_t>> terms = {{quotient, best.m}};
    if (best.e != 0) terms.emplace_back(symbol(s), best.e);
    return sum_of(terms, best.a);
  }
  return std::nullopt;
}

// The quotients of the results by a factor's; nothing where they are none, or the results again.
std::optional<ExpressionFinder::Results> ExpressionFinder::divided(const Results& results,
                                                                   uint32_t factor) const {
  Results others(results.size(), kAnyResult);
  for (size_t k = 0; k < results.size(); ++k) {
    if (results[k] == kAnyResult) continue;
    const int64_t by = results_[k][factor];
    if (by == 0 || results[k] % by != 0) return std::nullopt;
    others[k] = results[k] / by;
  }
  return others == results ? std::nullopt : std::optional(std::move(others));
}

std::optional<uint32_t> ExpressionFinder::product(const Results& results, uint32_t depth) {
  const auto with = [&](uint32_t factor) -> std::optional<uint32_t> {
    const std::optional<Results> others = divided(results, factor);
    if (!others) return std::nullopt;
    const std::optional<uint32_t> other = find(*others, depth + 1);
    if (!other) return std::nullopt;
    return is_constant(*others) ? times(factor, (*others)[0])
                                : add(ExpressionKind::kMultiply, factor, *other);
  };
  for (size_t i = factors_.size(); i-- > 0;) {
    if (const auto found = with(factors_[i])) return found;
  }
  for (uint32_t s = 0; s < symbols_.size(); ++s) {
    if (const auto found = with(symbol(s))) return found;
  }
  return std::nullopt;
}

uint32_t ExpressionFinder::times(uint32_t expression, int64_t factor) {
  if (factor == 1) return expression;
  return add(ExpressionKind::kMultiply, expression, constant(factor));
}

uint32_t ExpressionFinder::sum_of(const std::vector<std::pair<uint32_t, int64_t>>& terms,
                                  int64_t constant_term) {
  std::optional<uint32_t> sum;
  const auto put = [&](ExpressionKind kind, uint32_t term) {
    sum = sum.has_value() ? add(kind, *sum, term) : term;
  };
  for (const auto& [term, factor] : terms) {
    if (factor > 0) put(ExpressionKind::kAdd, times(term, factor));
  }
  if (constant_term > 0 || !sum.has_value()) {
    put(ExpressionKind::kAdd, constant(std::max<int64_t>(constant_term, 0)));
  }
  for (const auto& [term, factor] : terms) {
    if (factor < 0) put(ExpressionKind::kSubtract, times(term, -factor));
  }
  if (constant_term < 0) put(ExpressionKind::kSubtract, constant(-constant_term));
  return *sum;
}

uint32_t ExpressionFinder::constant(int64_t number) {
  return add(ExpressionKind::kConstant, static_cast<uint32_t>(number), 0);
}

uint32_t ExpressionFinder::add(ExpressionKind kind, uint32_t a, uint32_t b) {
  const auto [it, added] = known_.emplace(std::tuple(static_cast<uint32_t>(kind), a, b),
                                          static_cast<uint32_t>(expressions_.size()));
  if (!added) return it->second;
  expressions_.push_back({static_cast<uint32_t>(kind), a, b});
  for (size_t i = 0; i < samples_.size(); ++i) {
    results_[i].push_back(result_of(expressions_.back(), samples_[i].data(), results_[i].data()));
  }
  return it->second;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
