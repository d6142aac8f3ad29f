// `arenite inspect`: shows everything a program file says.
#include "planner/program/inspect.h"

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

// With the file of constants that the program names, where that is there.
planner::ProgramInfo inspected(std::span<const std::byte> file, const std::string& name) {
  planner::ProgramInfo info = planner::inspect(file);
  const auto constants = beside(info.constant_file, std::filesystem::path(name).parent_path());
  if (!constants.has_value() || !std::filesystem::is_regular_file(*constants)) return info;
  return planner::inspect(file, read_file(*constants));
}

int run_inspect(const InspectCommand& command) {
  const std::vector<std::byte> file = read_file(command.program);
  expect_program(file, command.program);
  try {
    const planner::ProgramInfo info = inspected(file, command.program);
    print_text(command.json ? planner::to_json(info) + "\n" : planner::to_text(info));
    return info.damage.empty() ? kDone : kFailed;
  } catch (const InputError& error) {
    throw InputError(command.program + ": " + error.what());
  }
}

std::function<int()> declare_inspect(Options& options) {
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
    .declare = declare_inspect,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
