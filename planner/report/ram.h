// All of RAM that a plan takes, for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "planner/report/report.h"

namespace arenite::planner {

// A line of the sum and a table of the memories; lines end in '\n'.
std::string ram_text(const RamReport& ram);

// {"board", "arenas_bytes", "instance_bytes", "bss_bytes", "stack_bytes", "stack_is_assumed",
// "total_bytes", "memories": [{"name", "size_bytes", "arenas_bytes", "instance_bytes", "bss_bytes",
// "stack_bytes", "total_bytes"}]}; null is what is not known, and a size without end.
nlohmann::ordered_json ram_json(const RamReport& ram);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
