// Looks for the nodes of the kernel's drivers: starting the loader, which looks for them itself,
// takes 80 ms and 55 MiB.
#include "tools/run/gpu_nodes.h"

#include <cstdlib>
#include <string>
#include <system_error>

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;

// The first letters of nodes, in /dev or in /dev/dri: DRM's, and those of vendors' own drivers.
constexpr const char* kNodes[] = {
    "renderD", "card",       // DRM: Mesa's drivers, AMD's, Intel's
    "nvidia",  "nvhost",     // NVIDIA's; its Tegra
    "nvmap",   "nvgpu",      // Tegra
    "mali",    "kgsl",       // Arm's; Qualcomm's
    "pvr",     "galcore",    // Imagination's; Vivante's
    "dxg",     "videocore",  // Windows below Linux; Broadcom's
};
constexpr const char* kNamedDrivers[] = {"VK_DRIVER_FILES", "VK_ICD_FILENAMES",
                                         "VK_ADD_DRIVER_FILES"};

// A folder that cannot be read may hold one.
bool holds_node(const fs::path& folder) {
  std::error_code failed;
  fs::directory_iterator entry(folder, failed);
  if (failed) return failed != std::errc::no_such_file_or_directory;
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    const std::string name = entry->path().filename();
    for (const char* node : kNodes) {
      if (name.starts_with(node)) return true;
    }
  }
  return static_cast<bool>(failed);
}

}  // namespace

bool may_have_gpu(const fs::path& dev) {
#ifndef __linux__
  return true;
#endif
  for (const char* name : kNamedDrivers) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return true;
  }
  return holds_node(dev) || holds_node(dev / "dri");
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
