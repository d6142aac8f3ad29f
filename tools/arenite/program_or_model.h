// Opens what commands take that run programs and would rather not ask for a plan first.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tools/arenite/model_options.h"
#include "tools/run/program_file.h"

namespace arenite::tools {

// The program at `path`; a model is planned for this machine (board host, no options but those of
// the model) in memory. Throws InputError, also where a program is given options for models.
std::unique_ptr<ProgramFile> open_program_or_model(const std::string& path,
                                                   const ModelOptions& options);

// The same of several files: options are about the models among them, of which there has to be one.
std::vector<std::unique_ptr<ProgramFile>> open_programs_or_models(
    std::span<const std::string> paths, const ModelOptions& options);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
