// The files that a command reads: none of its outputs takes their place.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace arenite::tools {

class Sources {
 public:
  // Adds arguments of the command: FILE or NAME=FILE. An argument that is no file, such as the name
  // of a board, is left out.
  void add(const std::string& argument);
  void add(const std::vector<std::string>& arguments);
  // Throws InputError where writing `output`, for `option`, would replace one of them.
  void check(const std::string& option, const std::filesystem::path& output) const;

 private:
  std::vector<std::filesystem::path> files_;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
