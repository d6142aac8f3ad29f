// Compares files, not names: links and other ways to a file lead to the same one.
#include "tools/run/sources.h"

#include "support/file.h"

namespace arenite::tools {

namespace fs = std::filesystem;

void Sources::add(const std::string& argument) {
  std::error_code error;
  for (size_t at = 0; at != std::string::npos;) {
    const fs::path path = argument.substr(at);
    if (fs::is_regular_file(path, error)) files_.push_back(path);
    at = argument.find('=', at);
    if (at != std::string::npos) ++at;
  }
}

void Sources::add(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) add(argument);
}

void Sources::check(const std::string& option, const fs::path& output) const {
  std::error_code error;
  if (is_stream(output) || !fs::exists(output, error)) return;
  for (const fs::path& file : files_) {
    if (fs::equivalent(file, output, error)) {
      throw InputError(option + " " + output.string() + ": the command reads this file (" +
                       file.string() + "), expected another one");
    }
  }
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
