// All of RAM that a plan takes, for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "planner/report/report.h"

namespace arenite::planner {

// "1476", "~4096" where it is assumed, or `unknown`.
std::string stack_text(const RamReport& ram, const char* unknown);

// "RAM of board b: 10956 bytes, of which arenas 9024, Instance 456, .bss 0, stack 1476."
std::string ram_line(const RamReport& ram);

// A table of the memories and their sum; lines end in '\n'.
std::string ram_text(const RamReport& ram);

// {"board", "arenas_bytes", "instance_bytes", "bss_bytes", "stack_bytes", "stack_is_assumed",
// "total_bytes", "memories": [{"name", "size_bytes", "arenas_bytes", "instance_bytes", "bss_bytes",
// "stack_bytes", "total_bytes"}]}; null is what is not known, and a size without end.
nlohmann::ordered_json ram_json(const RamReport& ram);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
