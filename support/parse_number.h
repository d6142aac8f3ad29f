// Reads a text that is one number and nothing else.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace arenite {

// Nothing where the text is empty, no number of type T, or goes on behind it.
template <typename T>
std::optional<T> parse_number(std::string_view text) {
  T number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
