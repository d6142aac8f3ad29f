// Turns what was thrown into a message and an exit status.
#pragma once

#include <functional>

namespace arenite::tools {

// Runs `command`; prints what it throws to standard error, and as {"error": ...} to standard output
// with `json`.
int report_errors(bool json, const std::function<int()>& command);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
