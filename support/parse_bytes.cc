// Splits a text into digits and a unit, and shifts the number by the unit's power of two.
#include "support/parse_bytes.h"

#include <charconv>

namespace arenite {
namespace {

constexpr const char* kExpected =
    "expected a whole number of bytes, such as 65536, 0x10000, 64K, 2M or 1G (K is 1,024)";

ParsedBytes wrong(const std::string& why = "") {
  return {0, (why.empty() ? "" : why + "; ") + kExpected};
}

// The shift of a unit in bits; -1 if the text is not a unit.
int shift_of(std::string_view unit) {
  if (unit.empty()) return 0;
  const std::string_view rest = unit.substr(1);
  if (!rest.empty() && rest != "i" && rest != "iB") return -1;
  switch (unit.front()) {
    case 'K':
    case 'k':
      return 10;
    case 'M':
    case 'm':
      return 20;
    case 'G':
    case 'g':
      return 30;
    default:
      return -1;
  }
}

}  // namespace

ParsedBytes parse_bytes(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const char* first = text.data() + (hexadecimal ? 2 : 0);
  const char* end = text.data() + text.size();
  ParsedBytes result;
  const auto [stop, error] = std::from_chars(first, end, result.bytes, hexadecimal ? 16 : 10);
  if (error == std::errc::result_out_of_range) return wrong("it passes 2^64 - 1");
  if (error != std::errc{} || stop == first) return wrong();
  const std::string_view unit(stop, static_cast<size_t>(end - stop));
  if (unit.starts_with('.') || unit.starts_with(',')) return wrong();
  const int shift = shift_of(unit);
  if (shift < 0) return wrong("the unit '" + std::string(unit) + "' is none of K, M and G");
  if (result.bytes > (UINT64_MAX >> shift)) return wrong("it passes 2^64 - 1");
  result.bytes <<= shift;
  return result;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
