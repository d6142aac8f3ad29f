// Errors about one word of a command line, for those who know the line to say which would do.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "support/errors.h"

namespace arenite {

// A name that nothing has. One of `choices` may be meant; where there is one, it would do.
struct WordError : InputError {
  WordError(const std::string& message, std::string wrong, std::vector<std::string> others)
      : InputError(message), word(std::move(wrong)), choices(std::move(others)) {}
  std::string word;
  std::vector<std::string> choices;
};

// A board or a device that there is none of: the doctor lists those that there are.
struct PlaceError : WordError {
  using WordError::WordError;
};

// A file or folder that cannot be read, or holds something else than what was asked for: a file
// with one of `suffixes`. No suffix: one like that of `path`.
struct FileError : InputError {
  FileError(const std::string& message, std::filesystem::path wrong,
            std::vector<std::string> others = {})
      : InputError(message), path(std::move(wrong)), suffixes(std::move(others)) {}
  std::filesystem::path path;
  std::vector<std::string> suffixes;
};

// A file or folder that cannot be written.
struct UnwritableError : OutputError {
  UnwritableError(const std::string& where, std::filesystem::path wrong, int number)
      : OutputError(where, number), path(std::move(wrong)) {}
  std::filesystem::path path;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
