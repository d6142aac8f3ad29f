// The line that shows more about what went wrong.
#pragma once

#include <exception>
#include <string>

#include "tools/arenite/commands.h"

namespace arenite::tools {

// The line of another command with the files and options of `options` that it takes.
std::string line_of(const Options& options, const Command& other);

// What stands below an error; nothing for no line.
std::string next_line_text(const std::string& line);

// `options` are those of `command`, which threw `error`. Empty where no other command shows more.
std::string next_line(const Command& command, const Options& options, const std::exception& error);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
