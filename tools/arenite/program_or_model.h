// Opens what commands take that run programs and would rather not ask for a plan first.
#pragma once

#include <memory>
#include <string>

#include "tools/run/program_file.h"

namespace arenite::tools {

// The program at `path`; a model is planned for this machine (board host, no options) in memory.
// Throws InputError.
std::unique_ptr<ProgramFile> open_program_or_model(const std::string& path);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
