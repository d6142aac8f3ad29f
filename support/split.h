// Splits a text at commas.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace arenite {

// "a,,b" gives "a", "" and "b"; a text without commas gives itself.
inline std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    parts.emplace_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return parts;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
