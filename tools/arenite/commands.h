// The commands of `arenite`: one row each. A new one is a file of its own and a line here and in
// commands.cc.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tools/arenite/options.h"

namespace arenite::tools {

// Exit statuses of every command.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;    // ran and failed: mismatch, does not fit, output not written
inline constexpr int kBadInput = 2;  // bad usage or bad input

struct Command {
  const char* name;      // "plan", "target run"
  const char* summary;   // one line, without a full stop
  const char* examples;  // lines that can be copied
  // Declares the command's arguments; what it returns runs it and returns the exit status. What
  // goes wrong is thrown: InputError and its kin.
  std::function<int()> (*declare)(Options& options);
};

extern const Command kPlanCommand;
extern const Command kFitCommand;
extern const Command kRunCommand;
extern const Command kBenchCommand;
extern const Command kCompareCommand;
extern const Command kInspectCommand;
extern const Command kStripCommand;
extern const Command kMemplanCommand;
extern const Command kConformCommand;
extern const Command kTargetRunCommand;
extern const Command kTargetTestCommand;
extern const Command kTargetBenchCommand;
extern const Command kOpsCommand;
extern const Command kQuantizeCommand;
extern const Command kEvaluateCommand;
extern const Command kDoctorCommand;

// All of them, in the order in which help lists them.
std::span<const Command* const> all_commands();

// The command that the words begin with, and how many of them are its name; null: none.
const Command* find_command(const std::vector<std::string>& words, size_t& count);
// "target" of "target run"; "" where the name is one word.
std::string group_of(const Command& command);
// "arenite plan"
std::string usage_name(const Command& command);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
