// Opens programs, and plans models.
#include "tools/arenite/program_or_model.h"

#include <algorithm>
#include <cstring>

#include "planner/plan.h"
#include "support/file.h"
#include "tools/arenite/import_models.h"
#include "tools/arenite/model_error.h"

namespace arenite::tools {
namespace {

bool is_program(std::span<const std::byte> bytes) {
  const uint32_t magic[] = {format::kMagic0, format::kMagic1};
  return bytes.size() >= sizeof magic && std::memcmp(bytes.data(), magic, sizeof magic) == 0;
}

}  // namespace

std::unique_ptr<ProgramFile> open_program_or_model(const std::string& path,
                                                   const ModelOptions& options,
                                                   const PlannedFor& planned_for) {
  return std::move(open_programs_or_models(std::span(&path, 1), options, planned_for).front());
}

std::vector<std::unique_ptr<ProgramFile>> open_programs_or_models(
    std::span<const std::string> paths, const ModelOptions& options,
    const PlannedFor& planned_for) {
  std::vector<std::vector<std::byte>> files;
  for (const std::string& path : paths) files.push_back(read_file(path));
  const auto models =
      std::count_if(files.begin(), files.end(), [](const auto& file) { return !is_program(file); });
  if (models == 0 && !options.first().empty()) {
    throw InputError(options.first() + " is about a model: " + paths[0] +
                     " is a program, planned already; expected it when planning");
  }
  GivenOptions given(options);
  std::vector<std::unique_ptr<ProgramFile>> programs;
  for (size_t i = 0; i < paths.size(); ++i) {
    const std::string& path = paths[i];
    if (is_program(files[i])) {
      const auto folder = std::filesystem::path(path).parent_path();
      programs.push_back(std::make_unique<ProgramFile>(files[i], path, folder));
      continue;
    }
    planner::PlanOptions plan;
    plan.boards = {planner::find_board(planned_for.board)};
    plan.image = planned_for.image;
    planner::ModelFile model;
    model.method = "main";
    model.bytes = std::move(files[i]);
    try {
      model.import = given.of_model(path, model.bytes, models == 1);
      programs.push_back(
          std::make_unique<ProgramFile>(planner::plan_models({model}, plan).program, path));
    } catch (const InputError& error) {
      fail_of_model(path + ": it is no program, and planned as a model: ", path, model.bytes,
                    error);
    }
  }
  if (models > 1) given.check_all_used();
  return programs;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
