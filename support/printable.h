// Names within messages: files and command lines may hold anything.
#pragma once

#include <string>
#include <string_view>

namespace arenite {

// The text with some bytes written as \xNN: characters that a terminal obeys (control characters,
// marks that turn text around, line ends), those without width, backslashes, and bytes that are no
// UTF-8. Cut after 200 bytes.
std::string printable(std::string_view text);

// The same between single quotes, or between double quotes where it holds an apostrophe and none of
// these; the mark that ends it is escaped too.
std::string quote(std::string_view text);

// Whole text for a terminal: the same, of any length, but line breaks, tabs and backslashes stay.
std::string printable_lines(std::string_view text);

// True when the text is valid UTF-8.
bool is_utf8(std::string_view text);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
