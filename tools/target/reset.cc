// Waits for a shell command, all of whose output is kept for the error message.
#include "tools/target/reset.h"

#include <chrono>

#include "support/printable.h"
#include "tools/run/runner.h"
#include "tools/target/child.h"

namespace arenite::tools {

void reset_board(const std::string& command) {
  // A probe may write an image before it resets.
  constexpr std::chrono::minutes kLimit(2);
  const std::string what = "--reset " + quote(command);
  // The shell sends the command's output to standard error, of which the child keeps the end.
  Child child({"sh", "-c", "exec </dev/null >&2\n" + command});
  int status = 0;
  try {
    status = child.wait(kLimit);
  } catch (const RunError& error) {
    throw RunError(what + ": " + error.what());
  }
  if (status == 0) return;
  const std::string said = child.errors();
  throw RunError(what + ": expected status 0, found " + std::to_string(status) +
                 (said.empty() ? "" : "; it said: " + printable(said)));
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
