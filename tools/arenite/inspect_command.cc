// `arenite inspect`: shows everything a program file says.
#include "planner/inspect.h"

#include "support/file.h"
#include "support/output.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/run/program_file.h"

namespace arenite::tools {

namespace {

struct InspectCommand {
  std::string program;
  bool json = false;
};

// The file of constants that a program names, where it is there; damage is for inspect to tell.
std::vector<std::byte> constants_of(std::span<const std::byte> file, const std::string& name) {
  const planner::ProgramInfo info = planner::inspect(file);
  const std::filesystem::path path(info.constant_file);
  if (path.empty() || path.filename() != path) return {};
  const std::filesystem::path beside = std::filesystem::path(name).parent_path() / path;
  return std::filesystem::exists(beside) ? read_file(beside) : std::vector<std::byte>();
}

int run_inspect(const InspectCommand& command) {
  const std::vector<std::byte> file = read_file(command.program);
  expect_program(file, command.program);
  try {
    const planner::ProgramInfo info = planner::inspect(file, constants_of(file, command.program));
    print_text(command.json ? planner::to_json(info) + "\n" : planner::to_text(info));
    return info.damage.empty() ? kDone : kFailed;
  } catch (const InputError& error) {
    throw InputError(command.program + ": " + error.what());
  }
}

std::function<int()> declare(Options& options) {
  const auto inspect = std::make_shared<InspectCommand>();
  options.add("PROGRAM", inspect->program, "Program file").required();
  add_json(options, inspect->json);
  return [inspect] { return run_inspect(*inspect); };
}

}  // namespace

const Command kInspectCommand = {
    .name = "inspect",
    .summary = "Show what a program file holds",
    .examples =
        "arenite inspect model.arn\n"
        "arenite inspect model.arn --json",
    .declare = declare,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
