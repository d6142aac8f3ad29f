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

// --input, and the options for images.
void add_inputs(Options& options, InputArguments& arguments);
// --mean, --scale, --channels, --resize, --letterbox, --center-crop and --layout.
void add_image_options(Options& options, ImageArguments& images);
// The options given, as words of a command line.
std::vector<std::string> image_option_words(const ImageArguments& images);

// One file as the input `form` (type and dims, no data) takes it: an image by suffix, or, from a
// pipe, by its first bytes; else a tensor. Counts images. Throws InputError.
HostTensor read_input_file(const std::filesystem::path& path, const HostTensor& form,
                           const std::string& input, const ImageOptions& options, uint32_t& images);
// Refuses options for images where there is none: `where` says where none is.
void expect_images(const ImageArguments& images, uint32_t found, const std::string& where);

// The tensors given, by input index. Throws InputError, also where an option for images is given
// and no image.
std::vector<std::optional<HostTensor>> read_inputs(const ProgramFile& file, uint32_t method,
                                                   const InputArguments& arguments);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
