// A dim of a model that callers choose before runs, between two bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace arenite::planner {

struct Symbol {
  std::string name;
  uint32_t least = 1, most = 1;  // least <= most
};

// A number for each of some symbols, in their order.
using SymbolNumbers = std::vector<uint32_t>;

// Numbers within the bounds, about `count_max` of them and never many more: all that there are, or
// where these are too many some of each symbol, the least and the most among them.
std::vector<SymbolNumbers> spread_numbers(const std::vector<Symbol>& symbols, size_t count_max);

// "len=3, batch=1".
std::string symbols_text(const std::vector<Symbol>& symbols, const SymbolNumbers& numbers);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
