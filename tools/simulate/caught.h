// Runs code that may touch what it must not.
#pragma once

#include <functional>
#include <optional>

#include "core/status.h"
#include "tools/simulate/watch.h"

namespace arenite::tools {

struct CaughtRun {
  Status status;
  std::optional<Access> access;  // that ended it; `fault` is kOutside where the system refused it
};

// Runs `code`, which is left where an access to the address range of `watch` is refused: by the
// system, or by a call of fail_here(). What it holds then is lost, so it must own nothing. On one
// thread at a time.
CaughtRun run_caught(const Watch& watch, const std::function<Status()>& code);

// Leaves the code that run_caught() runs.
[[noreturn]] void fail_here(const Access& access);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
