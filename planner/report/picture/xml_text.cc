// Escapes markup, and replaces bytes that are no UTF-8 or no character of XML.
#include "planner/report/picture/xml_text.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace arenite::picture {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Bytes of the character that begins at text[0], or 0 when XML has no such character.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' ? 1 : 0;
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (bytes == 0 || first > 0xF4 || bytes > text.size()) return 0;
  uint32_t code = first & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool none = code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
  return code < kSmallest[bytes] || surrogate || none ? 0 : bytes;
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    switch (bytes == 1 ? text[0] : '\0') {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += bytes == 0 ? kReplacement : text.substr(0, bytes);
    }
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t characters) {
  std::vector<std::size_t> starts;  // of the characters
  for (std::size_t at = 0; at < text.size();) {
    starts.push_back(at);
    at += std::max<std::size_t>(character_bytes(text.substr(at)), 1);
  }
  if (starts.size() <= characters) return std::string(text);
  if (characters < 3) return characters == 0 ? "" : "\xE2\x80\xA6";
  const std::size_t head = (characters - 1) * 3 / 10;
  const std::size_t tail = characters - 1 - head;
  return std::string(text.substr(0, starts[head])) + "\xE2\x80\xA6" +
         std::string(text.substr(starts[starts.size() - tail]));
}

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
