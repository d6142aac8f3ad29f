// Reads the tables that image builds write, and sums up what an image with certain forms takes.
#include "planner/board/code_sizes.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "planner/board/board.h"
#include "planner/graph/graph.h"
#include "support/file.h"

namespace arenite::planner {
namespace {

namespace fs = std::filesystem;

// In the firmware's table of operators, where pointers have 4 bytes.
constexpr uint64_t kFormBytes = 4;  // the pointer to a form
constexpr uint64_t kOpBytes = 16;   // an operator's entry, and the null pointer behind its forms

// "Conv" of "Conv.float32" (portable_fallback/form_names.h).
std::string operator_of(const std::string& form) { return form.substr(0, form.find('.')); }

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
          {group.at("forms").get<std::vector<std::string>>(), group.at("bytes").get<uint64_t>()});
    }
    if (json.contains("stack_bytes")) {
      sizes.stack = {json.at("stack_always_bytes").get<uint64_t>(),
                     json.at("stack_bytes").get<std::map<std::string, uint64_t>>()};
      sizes.bss_bytes = json.at("bss_bytes").get<uint64_t>();
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

std::optional<uint64_t> code_bytes(const CodeSizes& sizes, std::span<const std::string> forms) {
  const auto named = [&](const CodeSizes::Group& group, const std::string& form) {
    return std::find(group.forms.begin(), group.forms.end(), form) != group.forms.end();
  };
  std::set<std::string> operators;
  for (const std::string& form : forms) {
    const bool known = std::any_of(sizes.groups.begin(), sizes.groups.end(),
                                   [&](const auto& group) { return named(group, form); });
    if (!known) return std::nullopt;
    operators.insert(operator_of(form));
  }
  uint64_t bytes = sizes.always_bytes + kFormBytes * forms.size() + kOpBytes * operators.size();
  for (const CodeSizes::Group& group : sizes.groups) {
    const bool linked = std::any_of(forms.begin(), forms.end(),
                                    [&](const auto& form) { return named(group, form); });
    if (linked) bytes += group.bytes;
  }
  return bytes;
}

std::optional<uint64_t> stack_bytes(const CodeSizes& sizes, std::span<const std::string> forms) {
  if (!sizes.stack.has_value()) return std::nullopt;
  // A step runs one form, which calls no other.
  uint64_t deepest = sizes.stack->always_bytes;
  for (const std::string& form : forms) {
    const auto found = sizes.stack->forms.find(form);
    if (found == sizes.stack->forms.end()) return std::nullopt;
    deepest = std::max(deepest, found->second);
  }
  return deepest;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
