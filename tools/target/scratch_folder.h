// A folder for files that are of use only while this program runs.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "tools/run/runner.h"

namespace arenite::tools {

// It goes when the object goes.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "arenite-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw RunError("no temporary folder can be made: " + name);
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
