// Explains the registers that a Cortex-M reports when it faults (boards/cortex_m/start.cc).
#pragma once

#include <string>

#include "tools/target/elf.h"

namespace arenite::tools {

// Whether a whole line of a report is in what a board said.
bool has_fault(const std::string& said);

// The report in words: "a divide by zero (CFSR 0x02000000) at 0x1234 in arenite::..., called from
// ...". Empty where there is none. `image` names functions; it may be null.
std::string fault_text(const std::string& said, const ElfImage* image);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
