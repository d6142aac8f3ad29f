// Expressions that are found from samples give the same as the formulas that made the samples, for
// all numbers.
#include "planner/symbols/expressions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>

#include "core/symbols.h"

namespace arenite::planner {
namespace {

using format::ExpressionKind;
using format::ExpressionRecord;
using Formula = std::function<int64_t(const SymbolNumbers& numbers)>;

int64_t evaluate(const std::vector<ExpressionRecord>& all, uint32_t expression,
                 const SymbolNumbers& numbers) {
  std::vector<uint32_t> results;
  for (uint32_t i = 0; i <= expression; ++i) {
    const ExpressionRecord& e = all[i];
    if (e.kind > static_cast<uint32_t>(ExpressionKind::kSymbol)) {
      // Those before it alone: programs are evaluated in one pass.
      EXPECT_LT(e.a, i);
      EXPECT_LT(e.b, i);
    }
    results.push_back(result_of(e, numbers.data(), results.data()));
  }
  EXPECT_NE(results[expression], kNoIndex) << "expression " << expression;
  return results[expression];
}

// All numbers of two symbols at most.
std::vector<SymbolNumbers> all_numbers(const std::vector<Symbol>& symbols) {
  std::vector<SymbolNumbers> all = {{}};
  for (const Symbol& symbol : symbols) {
    std::vector<SymbolNumbers> longer;
    for (const SymbolNumbers& numbers : all) {
      for (uint32_t n = symbol.least; n <= symbol.most; ++n) {
        longer.push_back(numbers);
        longer.back().push_back(n);
      }
    }
    all = std::move(longer);
  }
  return all;
}

// Few samples, as of a plan that is slow to make.
std::vector<SymbolNumbers> first_samples(const std::vector<Symbol>& symbols) {
  SymbolNumbers most;
  for (const Symbol& symbol : symbols) most.push_back(symbol.most);
  std::vector<SymbolNumbers> samples = {most};
  for (size_t s = 0; s < symbols.size(); ++s) {
    const Symbol& symbol = symbols[s];
    for (const uint32_t n : {symbol.least, symbol.least + 1, symbol.least + 2,
                             (symbol.least + symbol.most) / 2, symbol.most - 1}) {
      samples.push_back(most);
      samples.back()[s] = n;
    }
  }
  for (uint32_t i = 0; i < 4 && symbols.size() > 1; ++i) {
    samples.push_back({});
    for (const Symbol& symbol : symbols) samples.back().push_back(symbol.least + 2 * i + 1);
  }
  return samples;
}

// Finds them, with the samples that the finder asks for, and compares for all numbers.
void expect_found(const std::vector<Symbol>& symbols, const std::vector<Formula>& formulas) {
  std::vector<SymbolNumbers> samples = first_samples(symbols);
  for (;;) {
    ExpressionFinder finder(symbols, samples);
    std::vector<uint32_t> found;
    for (const Formula& formula : formulas) {
      std::vector<int64_t> results;
      for (const SymbolNumbers& numbers : samples) results.push_back(formula(numbers));
      const auto expression = finder.find(results);
      ASSERT_TRUE(expression.has_value()) << "formula " << found.size();
      found.push_back(*expression);
    }
    if (finder.wanted_sample().has_value()) {
      ASSERT_LT(samples.size(), 80u);
      ASSERT_EQ(std::ranges::find(samples, *finder.wanted_sample()), samples.end());
      samples.push_back(*finder.wanted_sample());
      continue;
    }
    for (const SymbolNumbers& numbers : all_numbers(symbols)) {
      for (size_t i = 0; i < formulas.size(); ++i) {
        ASSERT_EQ(evaluate(finder.expressions(), found[i], numbers), formulas[i](numbers))
            << "formula " << i << " of " << symbols_text(symbols, numbers);
      }
    }
    return;
  }
}

int64_t convolved(int64_t n, int64_t kernel, int64_t stride, int64_t pads) {
  return (n + pads - kernel) / stride + 1;
}

TEST(Expressions, SumsOfOneSymbol) {
  expect_found({{"n", 1, 100}},
               {[](const auto& n) { return n[0]; }, [](const auto& n) { return 3 * n[0] + 7; },
                [](const auto& n) { return 640 - 2 * int64_t{n[0]}; }});
}

TEST(Expressions, StridesRoundDown) {
  for (const int64_t stride : {2, 3, 4, 7, 16, 32, 64}) {
    SCOPED_TRACE(stride);
    expect_found({{"n", 64, 320}},
                 {[&](const auto& n) { return convolved(n[0], 3, stride, 1); },
                  [&](const auto& n) { return 24 * convolved(n[0], 5, stride, 4); },
                  [&](const auto& n) { return convolved(convolved(n[0], 3, 2, 1), 3, 2, 2); }});
  }
}

// What TensorFlow calls SAME: as many as are missing, half of them before.
TEST(Expressions, PaddingThatDependsOnTheSize) {
  const auto missing = [](int64_t n) { return std::max<int64_t>((n + 1) / 2 * 2 - 2 + 3 - n, 0); };
  expect_found({{"n", 8, 96}}, {[&](const auto& n) { return missing(n[0]); },
                                [&](const auto& n) { return missing(n[0]) / 2; },
                                [&](const auto& n) { return missing(n[0]) - missing(n[0]) / 2; }});
}

TEST(Expressions, ProductsOfDims) {
  const auto half = [](int64_t n) { return convolved(n, 3, 2, 1); };
  expect_found(
      {{"h", 16, 60}, {"w", 20, 50}},
      {[&](const auto& n) { return half(n[0]); }, [&](const auto& n) { return half(n[1]); },
       [&](const auto& n) { return half(n[0]) * half(n[1]); },
       [&](const auto& n) { return 48 * half(n[0]) * half(n[1]); },
       [&](const auto& n) { return int64_t{n[0]} * n[1]; },
       [&](const auto& n) { return int64_t{n[0]} * n[0]; }});
}

TEST(Expressions, SumsOfSymbols) {
  expect_found({{"past", 1, 40}, {"len", 1, 9}},
               {[](const auto& n) { return n[0] + n[1]; },
                [](const auto& n) { return 8 * (int64_t{n[0]} + n[1]) + 5; },
                [](const auto& n) { return (int64_t{n[0]} + n[1]) * n[1]; }});
}

TEST(Expressions, RandomQuotients) {
  std::mt19937 random(7);
  const auto pick = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  for (int i = 0; i < 100; ++i) {
    const int64_t q = pick(2, 32), o = pick(0, q - 1), m = pick(1, 9), a = pick(0, 50);
    SCOPED_TRACE(std::to_string(a) + " + " + std::to_string(m) + " ((x + " + std::to_string(o) +
                 ") / " + std::to_string(q) + ")");
    const auto least = static_cast<uint32_t>(pick(1, 100));
    expect_found({{"x", least, least + static_cast<uint32_t>(pick(5, 400))}},
                 {[&](const auto& n) { return a + m * ((n[0] + o) / q); }});
  }
}

TEST(Expressions, NoneForWhatIsNoneOfThese) {
  const std::vector<Symbol> symbols = {{"n", 1, 60}};
  const std::vector<SymbolNumbers> samples = first_samples(symbols);
  ExpressionFinder finder(symbols, samples);
  std::vector<int64_t> primes, below;
  for (const SymbolNumbers& numbers : samples) {
    primes.push_back(std::vector<int64_t>{7919, 7, 11, 13, 101, 4001}[primes.size()]);
    below.push_back(int64_t{numbers[0]} - 3);
  }
  EXPECT_FALSE(finder.find(primes).has_value());
  EXPECT_FALSE(finder.find(below).has_value());
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
