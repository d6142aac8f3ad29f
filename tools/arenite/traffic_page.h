// A page that shows which bytes each step of a simulated run moves in each memory.
#pragma once

#include <string>

#include "tools/simulate/simulate.h"

namespace arenite::tools {

// HTML that stands alone: a picture for each memory, and a table of all steps.
std::string traffic_page(const Simulation& simulation);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
