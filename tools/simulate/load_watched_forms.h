// The forms whose accesses are heard of, in a shared object of their own (tools/simulate/watch.h).
#pragma once

#include "tools/simulate/watch.h"

namespace arenite::tools {

// Throws RunError where the shared object is missing: in builds under sanitizers.
WatchedForms load_watched_forms();
bool has_watched_forms();

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
