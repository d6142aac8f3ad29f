// Escapes characters that a terminal obeys, and bytes that are no text.
#include "support/printable.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "support/hex.h"

namespace arenite {
namespace {

// Bytes of the UTF-8 character that starts `text`, or 0 where it is none.
size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto follows = [&](size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  const unsigned first = byte(0);
  if (first < 0x80u) return text.empty() ? 0 : 1;
  if (first >= 0xc2u && first <= 0xdfu) return follows(1) ? 2 : 0;
  if ((first & 0xf0u) == 0xe0u) {
    // Overlong forms and surrogates are no characters.
    if ((first == 0xe0u && byte(1) < 0xa0u) || (first == 0xedu && byte(1) > 0x9fu)) return 0;
    return follows(1) && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0u && first <= 0xf4u) {
    if ((first == 0xf0u && byte(1) < 0x90u) || (first == 0xf4u && byte(1) > 0x8fu)) return 0;
    return follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

uint32_t code_point(std::string_view character) {
  const auto byte = [&](size_t i) { return uint32_t{static_cast<unsigned char>(character[i])}; };
  switch (character.size()) {
    case 1:
      return byte(0);
    case 2:
      return (byte(0) & 0x1fu) << 6 | (byte(1) & 0x3fu);
    case 3:
      return (byte(0) & 0x0fu) << 12 | (byte(1) & 0x3fu) << 6 | (byte(2) & 0x3fu);
    default:
      return (byte(0) & 0x07u) << 18 | (byte(1) & 0x3fu) << 12 | (byte(2) & 0x3fu) << 6 |
             (byte(3) & 0x3fu);
  }
}

// Controls, what turns the direction of text around, ends lines, or has no width (Unicode's
// categories Cc, Zl, Zp and of Cf what a name has no use for).
bool is_obeyed(uint32_t code) {
  struct Range {
    uint32_t first, last;
  };
  constexpr Range kRanges[] = {{0x00, 0x1f},     {0x7f, 0x9f},      {0xad, 0xad},
                               {0x61c, 0x61c},   {0x180e, 0x180e},  {0x200b, 0x200f},
                               {0x2028, 0x202e}, {0x2060, 0x206f},  {0xfeff, 0xfeff},
                               {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
  return std::any_of(std::begin(kRanges), std::end(kRanges), [code](const Range& range) {
    return code >= range.first && code <= range.last;
  });
}

// `also` is escaped too, `stays` is not.
struct Rules {
  std::string_view also, stays;
  size_t bytes_max;
};

std::string escaped(std::string_view text, const Rules& rules) {
  std::string out;
  while (!text.empty()) {
    if (out.size() >= rules.bytes_max) return out + "...";
    const size_t known = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<size_t>(known, 1));
    const bool plain = rules.stays.find(character) != std::string_view::npos ||
                       (known != 0 && !is_obeyed(code_point(character)) &&
                        rules.also.find(character) == std::string_view::npos);
    for (const char byte : character) {
      if (plain) {
        out += byte;
      } else {
        out += "\\x" + hex_digits(static_cast<unsigned char>(byte), 2);
      }
    }
    text.remove_prefix(character.size());
  }
  return out;
}

constexpr size_t kNameMax = 200;

}  // namespace

std::string printable(std::string_view text) { return escaped(text, {"\\", "", kNameMax}); }

std::string quote(std::string_view text) {
  // A name with an apostrophe stays legible between double quotes.
  const bool apostrophe = text.find('\'') != std::string_view::npos;
  const char mark = apostrophe && text.find('"') == std::string_view::npos ? '"' : '\'';
  const char also[] = {'\\', mark, '\0'};
  return mark + escaped(text, {also, "", kNameMax}) + mark;
}

std::string printable_lines(std::string_view text) {
  return escaped(text, {"", "\n\t", std::string_view::npos});
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
