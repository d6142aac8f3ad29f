// `arenite strip`: keeps one board's variants of a program.
#include "planner/program/strip.h"

#include "support/output.h"
#include "support/word_errors.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/io/tensor.h"
#include "tools/run/program_file.h"
#include "tools/run/sources.h"

namespace arenite::tools {
namespace {

struct StripCommand {
  std::string program, board, output;
};

int run_strip(const StripCommand& command) {
  check_output(command.output, false, "", false);
  Sources sources;
  sources.add(command.program);
  sources.add(command.board);
  sources.check("-o", command.output);
  const std::vector<std::byte> file = read_file(command.program);
  expect_program(file, command.program, command.board);
  // Without this check the new file would give damaged constants a checksum that holds.
  const ProgramFile intact(file, command.program,
                           std::filesystem::path(command.program).parent_path());
  std::vector<std::byte> stripped;
  try {
    stripped = planner::strip(file, command.board, intact.constants());
  } catch (const WordError& error) {
    throw WordError(command.program + ": " + error.what(), error.word, error.choices);
  } catch (const InputError& error) {
    throw InputError(command.program + ": " + error.what());
  }
  write_file(command.output, stripped);
  if (!is_standard_output(command.output)) {
    print("%s: %zu bytes of %zu\n", command.output.c_str(), stripped.size(), file.size());
  }
  return kDone;
}

std::function<int()> declare_strip(Options& options) {
  const auto strip = std::make_shared<StripCommand>();
  options.add("PROGRAM", strip->program, "Program file").required();
  options.add("--board", strip->board, "The board whose variants stay")
      .value_name("NAME")
      .required();
  add_output(options, strip->output, "Program file to write; - is standard output")
      .value_name("OUT.arn")
      .required();
  return [strip] { return run_strip(*strip); };
}

}  // namespace

const Command kStripCommand = {
    .name = "strip",
    .summary = "Keep one board's variants of a program",
    .examples = "arenite strip model.arn --board mps3-an547 -o firmware.arn",
    .declare = declare_strip,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
