// Text that may stand in XML and HTML, whatever the file it came from held.
#pragma once

#include <string>
#include <string_view>

namespace arenite::picture {

// The text with markup escaped, for elements and quoted attributes; bytes that are no UTF-8 and
// characters that XML does not have become U+FFFD.
std::string xml_text(std::string_view text);

// Returns at most `characters` of the text. A longer text keeps its first third and its end, with
// an ellipsis between: the ends of names tell most. Not escaped.
std::string shortened(std::string_view text, std::size_t characters);

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
