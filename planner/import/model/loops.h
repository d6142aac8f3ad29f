// The option about loops whose number of trips each run decides.
#pragma once

#include <set>
#include <string>

#include "planner/import/model/front_end.h"

namespace arenite::planner {

// Refuses an option --max-trips for what is none of these loops.
void check_max_trips(const ImportOptions& options, const std::set<std::string>& loops);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
