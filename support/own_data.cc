// Looks above the library that this code is part of, and above the running program.
#include "support/own_data.h"

#include <dlfcn.h>

namespace arenite {
namespace {

namespace fs = std::filesystem;

constexpr int kLevels = 5;

// The library that holds this function. In a program it is the name it was started by, which need
// not be a path; then it is of no use.
fs::path own_library() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&find_own_data), &info) == 0) return {};
  const fs::path path = info.dli_fname != nullptr ? info.dli_fname : "";
  return path.is_absolute() ? path : fs::path();
}

fs::path find_above(const fs::path& file, const fs::path& wanted) {
  if (file.empty()) return {};
  std::error_code error;
  fs::path folder = fs::canonical(file, error).parent_path();
  for (int level = 0; level < kLevels && !error && !folder.empty(); ++level) {
    if (fs::exists(folder / wanted, error)) return folder / wanted;
    if (folder == folder.root_path()) break;
    folder = folder.parent_path();
  }
  return {};
}

}  // namespace

fs::path find_own_data(const fs::path& path) {
  const fs::path found = find_above(own_library(), path);
  return found.empty() ? find_above("/proc/self/exe", path) : found;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
