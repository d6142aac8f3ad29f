// The line that shows more about what went wrong.
#pragma once

#include <exception>
#include <string>

#include "tools/arenite/commands.h"

namespace arenite::tools {

// The line of another command with the files and options of `options` that it takes.
std::string line_of(const Options& options, const Command& other);

// "What shows more: ..."; nothing for no line.
std::string next_line_text(const std::string& line);

// What stands below `error`: a line that works, or one that shows more. `options` are those of
// `command`, which threw it. Empty where there is nothing to add.
std::string next_line(const Command& command, const Options& options, const std::exception& error);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
