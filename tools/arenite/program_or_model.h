// Opens what commands take that run programs and would rather not ask for a plan first.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tools/arenite/model_options.h"
#include "tools/run/program_file.h"

namespace arenite::tools {

// What a model is planned for, where nobody planned it.
struct PlannedFor {
  std::string board = "host";  // a name or a file
  std::string image;           // "embedded", "harness", or empty: all that the board has
};

// The program at `path`; a model is planned for the board (no options but those of the model) in
// memory. Throws InputError, also where a program is given options for models.
std::unique_ptr<ProgramFile> open_program_or_model(const std::string& path,
                                                   const ModelOptions& options,
                                                   const PlannedFor& planned_for = {});

// The same of several files: options are about the models among them, of which there has to be one.
std::vector<std::unique_ptr<ProgramFile>> open_programs_or_models(
    std::span<const std::string> paths, const ModelOptions& options,
    const PlannedFor& planned_for = {});

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
