// `arenite inspect`: shows everything a program file says.
#include "planner/program/inspect.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "support/file.h"
#include "support/output.h"
#include "support/word_errors.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/run/program_file.h"

namespace arenite::tools {

namespace {

struct InspectCommand {
  std::string program;
  std::optional<uint64_t> step;
  bool json = false;
};

// With the file of constants that the program names, where that is there.
planner::ProgramInfo inspected(std::span<const std::byte> file, const std::string& name) {
  planner::ProgramInfo info = planner::inspect(file);
  const auto constants = beside(info.constant_file, std::filesystem::path(name).parent_path());
  if (!constants.has_value() || !std::filesystem::is_regular_file(*constants)) return info;
  return planner::inspect(file, read_file(*constants));
}

// The columns of the terminal that standard output is; 0 where it is none.
size_t terminal_columns() {
  winsize size{};
  const bool known = ::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return known ? size.ws_col : 0;
}

int run_inspect(const InspectCommand& command) {
  const std::vector<std::byte> file = read_file(command.program);
  expect_program(file, command.program);
  try {
    const planner::ProgramInfo info = inspected(file, command.program);
    planner::InspectText options{terminal_columns(), std::nullopt};
    if (command.step) options.step = static_cast<uint32_t>(*command.step);
    print_text(command.json ? planner::to_json(info) + "\n" : planner::to_text(info, options));
    return info.damage.empty() ? kDone : kFailed;
  } catch (const WordError& error) {
    throw WordError(command.program + ": " + error.what(), error.word, error.choices);
  } catch (const InputError& error) {
    throw InputError(command.program + ": " + error.what());
  }
}

std::function<int()> declare_inspect(Options& options) {
  const auto inspect = std::make_shared<InspectCommand>();
  options.add("PROGRAM", inspect->program, "Program file").required();
  options.add("--step", inspect->step, "Show all that is known of one step")
      .range(0, UINT32_MAX - 1);
  add_json(options, inspect->json);
  return [inspect] { return run_inspect(*inspect); };
}

}  // namespace

const Command kInspectCommand = {
    .name = "inspect",
    .summary = "Show what a program file holds",
    .examples =
        "arenite inspect model.arn\n"
        "arenite inspect model.arn --step 12\n"
        "arenite inspect model.arn --json",
    .declare = declare_inspect,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
