// The list of commands.
#include "tools/arenite/commands.h"

namespace arenite::tools {
namespace {

constexpr const Command* kCommands[] = {
    &kPlanCommand,       &kFitCommand,         &kRunCommand,      &kBenchCommand,
    &kCompareCommand,    &kInspectCommand,     &kStripCommand,    &kMemplanCommand,
    &kConformCommand,    &kQuantizeCommand,    &kEvaluateCommand, &kTargetRunCommand,
    &kTargetTestCommand, &kTargetBenchCommand, &kOpsCommand,      &kDoctorCommand,
};

// Counts how many of the first words are the command's name; 0: they are not.
size_t named_by(const Command& command, const std::vector<std::string>& words) {
  const std::string name = command.name;
  std::string typed;
  for (size_t i = 0; i < words.size() && typed.size() < name.size(); ++i) {
    typed += (i == 0 ? "" : " ") + words[i];
    if (typed == name) return i + 1;
  }
  return 0;
}

}  // namespace

std::span<const Command* const> all_commands() { return kCommands; }

const Command* find_command(const std::vector<std::string>& words, size_t& count) {
  for (const Command* command : all_commands()) {
    count = named_by(*command, words);
    if (count != 0) return command;
  }
  return nullptr;
}

std::string group_of(const Command& command) {
  const std::string name = command.name;
  const size_t space = name.find(' ');
  return space == std::string::npos ? "" : name.substr(0, space);
}

std::string usage_name(const Command& command) { return std::string("arenite ") + command.name; }

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
