// Turns what was thrown into a message and an exit status.
#pragma once

#include <functional>
#include <string>

#include "support/errors.h"

namespace arenite::tools {

// A command line that is none. `hint` is for people, on lines of its own: where help is. Without
// one, it is that of the command.
struct UsageError : InputError {
  explicit UsageError(const std::string& problem, std::string where = "")
      : InputError(problem), hint(std::move(where)) {}
  std::string hint;
};

// Runs `command`, and hands on what it printed; prints what it throws to standard error, with the
// text in `next` below where `command` has set one, and as {"error": ...} to standard output with
// `json`. The exit status.
int report_errors(bool json, const std::string& next, const std::function<int()>& command);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
