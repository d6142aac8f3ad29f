// Names symbols and their numbers for people, and spreads numbers over their ranges.
#include "planner/graph/symbol.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/printable.h"

namespace arenite::planner {

namespace {

// So many numbers of a symbol, or all: from its least to its most, at even distances.
std::vector<uint32_t> spread_numbers_of(const Symbol& symbol, uint64_t count) {
  const uint64_t range = symbol.most - symbol.least;
  const uint64_t last = std::min(range, count - 1);
  std::vector<uint32_t> numbers;
  for (uint64_t i = 0; i <= last; ++i) {
    numbers.push_back(symbol.least + static_cast<uint32_t>(last == 0 ? 0 : range * i / last));
  }
  return numbers;
}

SymbolNumbers most_of(const std::vector<Symbol>& symbols) {
  SymbolNumbers numbers;
  for (const Symbol& symbol : symbols) numbers.push_back(symbol.most);
  return numbers;
}

}  // namespace

std::vector<SymbolNumbers> spread_numbers(const std::vector<Symbol>& symbols, size_t count_max) {
  std::vector<SymbolNumbers> all{most_of(symbols)};
  // Symbols of short ranges first: what they do not take is left for those of long ones.
  std::vector<size_t> order(symbols.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t s) { return symbols[s].most - symbols[s].least; });
  for (size_t i = 0; i < order.size(); ++i) {
    const double each = std::pow(static_cast<double>(count_max) / static_cast<double>(all.size()),
                                 1.0 / static_cast<double>(order.size() - i));
    // The power of a whole number may come out a little below it.
    const auto count = static_cast<uint64_t>(each + 1e-6);
    std::vector<SymbolNumbers> longer;
    for (const uint32_t number :
         spread_numbers_of(symbols[order[i]], std::max<uint64_t>(count, 2))) {
      for (SymbolNumbers numbers : all) {
        numbers[order[i]] = number;
        longer.push_back(std::move(numbers));
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::string symbols_text(const std::vector<Symbol>& symbols, const SymbolNumbers& numbers) {
  std::string text;
  for (size_t i = 0; i < symbols.size(); ++i) {
    text +=
        (text.empty() ? "" : ", ") + printable(symbols[i].name) + "=" + std::to_string(numbers[i]);
  }
  return text;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
