// --input for commands that take images besides tensors, and the options that say how.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/arenite/options.h"
#include "tools/images/preprocess.h"
#include "tools/run/program_file.h"

namespace arenite::tools {

struct InputArguments {
  std::vector<std::string> files;  // NAME=FILE, or FILE where the method has one input
  ImageArguments images;
};

// --input, --mean, --scale, --channels, --resize and --layout.
void add_inputs(Options& options, InputArguments& arguments);

// The tensors given, by input index: images by suffix, or, from a pipe, by their first bytes.
// Throws InputError, also where an option for images is given and no image.
std::vector<std::optional<HostTensor>> read_inputs(const ProgramFile& file, uint32_t method,
                                                   const InputArguments& arguments);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
