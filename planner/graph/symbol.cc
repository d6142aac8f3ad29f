// Names symbols and their numbers for people.
#include "planner/graph/symbol.h"

#include "support/printable.h"

namespace arenite::planner {

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
