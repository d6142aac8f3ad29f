// Whether this machine can have a GPU at all, without starting a driver.
#pragma once

#include <filesystem>

namespace arenite::tools {

// True where `dev` holds a node through which some driver reaches a GPU, where the environment
// names drivers for the loader (VK_DRIVER_FILES and its like), and on systems other than Linux.
// False is certain: Vulkan is in software then.
bool may_have_gpu(const std::filesystem::path& dev = "/dev");

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
