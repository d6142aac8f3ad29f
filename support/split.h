// Splits a text at a character.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace arenite {

// The parts of a text between separators: one more than it has of these.
inline std::vector<std::string> split_at(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// "a,,b" gives "a", "" and "b"; a text without commas gives itself.
inline std::vector<std::string> split_at_commas(std::string_view text) {
  return split_at(text, ',');
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
