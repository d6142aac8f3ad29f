// Finds the files that come with Arenite: boards, images, the instruction counter.
#pragma once

#include <filesystem>

namespace arenite {

// The file or folder `path` ("share/arenite/boards") below a folder that holds this library or
// program, or one of the four above it: an installation's prefix, or the build tree. Nothing knows
// where it was built or installed, so both may be moved. Empty when there is none.
std::filesystem::path find_own_data(const std::filesystem::path& path);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
