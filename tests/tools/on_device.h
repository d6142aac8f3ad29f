// Options of a runner on a device that a test names.
#pragma once

#include "tools/run/runner.h"

namespace arenite::tools {

inline RunnerOptions on(const char* device, bool allow_fallback = false) {
  return {parse_device(device, allow_fallback), "", 1, ""};
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
