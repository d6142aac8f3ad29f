// Writes a command as one would type it.
#pragma once

#include <span>
#include <string>

namespace arenite {

// Words between blanks, those with other than plain characters in quotes.
std::string shell_text(std::span<const std::string> command);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
