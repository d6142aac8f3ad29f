// Text that may stand in XML and HTML, whatever the file it came from held.
#pragma once

#include <string>
#include <string_view>

namespace arenite::memory {

// The text with markup escaped, for elements and quoted attributes; bytes that are no UTF-8 and
// characters that XML does not have become U+FFFD.
std::string xml_text(std::string_view text);

// At most `characters` of the text, the last one an ellipsis where it is cut; not escaped.
std::string shortened(std::string_view text, std::size_t characters);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
