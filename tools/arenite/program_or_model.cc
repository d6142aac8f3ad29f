// Opens programs, and plans models.
#include "tools/arenite/program_or_model.h"

#include <cstring>

#include "planner/plan.h"
#include "support/file.h"

namespace arenite::tools {
namespace {

bool is_program(std::span<const std::byte> bytes) {
  const uint32_t magic[] = {format::kMagic0, format::kMagic1};
  return bytes.size() >= sizeof magic && std::memcmp(bytes.data(), magic, sizeof magic) == 0;
}

}  // namespace

std::unique_ptr<ProgramFile> open_program_or_model(const std::string& path) {
  std::vector<std::byte> bytes = read_file(path);
  if (is_program(bytes)) {
    return std::make_unique<ProgramFile>(bytes, path, std::filesystem::path(path).parent_path());
  }
  planner::ModelFile model;
  model.method = "main";
  model.bytes = std::move(bytes);
  planner::PlanOptions options;
  options.boards = {planner::find_board("host")};
  try {
    return std::make_unique<ProgramFile>(planner::plan_models({model}, options).program, path);
  } catch (const InputError& error) {
    throw InputError(path + ": it is no program, and planned as a model: " + error.what());
  }
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
