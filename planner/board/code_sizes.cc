// How many bytes of code firmware with certain kernels has, by a table that the image build writes.
#include "planner/board/code_sizes.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "planner/board/board.h"
#include "planner/graph.h"
#include "support/file.h"

namespace arenite::planner {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kPointerBytes = 4;  // of a kernel's entry in the firmware's table

std::vector<fs::path> files_of(const std::string& toolchain) {
  std::vector<fs::path> files;
  if (const fs::path images = images_folder(); !images.empty()) {
    files.push_back(images / toolchain / "code_sizes.json");
  }
  for (const fs::path& boards : board_folders()) {
    files.push_back(boards.parent_path() / "code_sizes" / (toolchain + ".json"));
  }
  return files;
}

}  // namespace

CodeSizes read_code_sizes(std::string_view json_text, const std::string& file_name) {
  try {
    const nlohmann::json json = nlohmann::json::parse(json_text);
    CodeSizes sizes;
    sizes.toolchain = json.at("toolchain").get<std::string>();
    sizes.always_bytes = json.at("always_bytes").get<uint64_t>();
    for (const nlohmann::json& group : json.at("groups")) {
      sizes.groups.push_back(
          {group.at("kernels").get<std::vector<std::string>>(), group.at("bytes").get<uint64_t>()});
    }
    return sizes;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(file_name + ": expected the sizes of an image build: " + error.what());
  }
}

std::optional<CodeSizes> find_code_sizes(const std::string& toolchain) {
  if (toolchain.empty()) return std::nullopt;
  for (const fs::path& file : files_of(toolchain)) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) continue;
    return read_code_sizes(read_text(file), file.string());
  }
  return std::nullopt;
}

std::optional<uint64_t> code_bytes(const CodeSizes& sizes, std::span<const std::string> kernels) {
  const auto named = [&](const CodeSizes::Group& group, const std::string& kernel) {
    return std::find(group.kernels.begin(), group.kernels.end(), kernel) != group.kernels.end();
  };
  uint64_t bytes = sizes.always_bytes + kPointerBytes * kernels.size();
  for (const std::string& kernel : kernels) {
    const bool known = std::any_of(sizes.groups.begin(), sizes.groups.end(),
                                   [&](const auto& group) { return named(group, kernel); });
    if (!known) return std::nullopt;
  }
  for (const CodeSizes::Group& group : sizes.groups) {
    const bool linked = std::any_of(kernels.begin(), kernels.end(),
                                    [&](const auto& kernel) { return named(group, kernel); });
    if (linked) bytes += group.bytes;
  }
  return bytes;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
