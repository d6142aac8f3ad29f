// Chooses among methods that are one model planned for several sizes: "main[seq=64]",
// "main[seq=128]".
#pragma once

#include <string>
#include <vector>

#include "tools/run/program_file.h"

namespace arenite::tools {

// The name of the method to run. `asked`: as the user says it, "" for the first. Where that is one
// of several sizes, the first whose inputs take the files of --input as they are, or stacked; the
// first of all without files. Throws InputError where none takes them, and for files that cannot be
// read.
std::string method_for(const ProgramFile& file, const std::string& asked,
                       const std::vector<std::string>& inputs);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
