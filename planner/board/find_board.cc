// Finds board files by name in the board folders, or by path.
#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "planner/board/board.h"
#include "planner/graph/graph.h"
#include "support/file.h"
#include "support/own_data.h"
#include "support/printable.h"
#include "support/suggest.h"
#include "support/word_errors.h"

namespace arenite::planner {
namespace {

namespace fs = std::filesystem;

Board read_board_file(const fs::path& path) {
  const std::string name = "board file " + path.string();
  Board board = read_board(read_text(path), name);
  board.folder = path.parent_path();
  board.file = path;
  return board;
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

}  // namespace

std::vector<fs::path> board_folders() {
  std::vector<fs::path> folders;
  if (const char* variable = std::getenv("ARENITE_BOARDS"); variable != nullptr) {
    std::istringstream list(variable);
    for (std::string folder; std::getline(list, folder, ':');) {
      if (!folder.empty()) folders.emplace_back(folder);
    }
  }
  const fs::path ours = find_own_data("share/arenite/boards");
  if (!ours.empty()) folders.push_back(ours);
  return folders;
}

fs::path images_folder() {
  const char* variable = std::getenv("ARENITE_IMAGES");
  return variable != nullptr && *variable != '\0' ? fs::path(variable)
                                                  : find_own_data("share/arenite/images");
}

std::vector<std::string> board_names() {
  std::set<std::string> names;
  for (const fs::path& folder : board_folders()) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (is_file(entry.path() / "board.json")) names.insert(entry.path().filename().string());
    }
  }
  return {names.begin(), names.end()};
}

Board find_board(const std::string& name_or_file) {
  if (name_or_file.find('/') != std::string::npos || name_or_file.ends_with(".json")) {
    return read_board_file(name_or_file);
  }
  if (!name_or_file.empty() && name_or_file != "." && name_or_file != "..") {
    for (const fs::path& folder : board_folders()) {
      const fs::path path = folder / name_or_file / "board.json";
      if (!is_file(path)) continue;
      Board board = read_board_file(path);
      // A program names its board, and strip and target look the board up by that name.
      if (board.name != name_or_file) {
        throw InputError("board file " + path.string() + ": \"name\" is \"" + board.name +
                         "\"; expected its folder's name, \"" + name_or_file + "\"");
      }
      return board;
    }
  }
  const std::vector<std::string> names = board_names();
  throw PlaceError("there is no board " + quote(name_or_file) + ", expected " +
                       (names.empty() ? "" : listed(names) + ", or ") + "the path of a board file" +
                       did_you_mean(name_or_file, names),
                   name_or_file, names);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
