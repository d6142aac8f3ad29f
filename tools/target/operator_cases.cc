// Runs the program that holds the cases: they are tests, and no part of the commands.
#include "tools/target/operator_cases.h"

#include <chrono>

#include "support/own_data.h"
#include "tools/run/runner.h"
#include "tools/target/child.h"

namespace arenite::tools {
namespace {

void write(std::vector<std::string> arguments) {
  // Each case is planned alone, and computed here.
  constexpr std::chrono::minutes kLimit(10);
  constexpr const char* kFile = "lib/arenite/operator_cases";
  const std::filesystem::path maker = find_own_data(kFile);
  if (maker.empty()) {
    throw RunError(std::string("--ops: expected ") + kFile +
                   " of this installation, found none; a build with ARENITE_BUILD_TESTS has it");
  }
  arguments.insert(arguments.begin(), maker.string());
  Child child(arguments);
  if (child.wait(kLimit) != 0) throw RunError("--ops: " + child.errors());
}

}  // namespace

void write_operator_cases(const std::string& board, const std::filesystem::path& program) {
  write({board, program.string()});
}

void write_cost_cases(const std::string& board, const std::filesystem::path& program) {
  write({board, program.string(), "costs"});
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
