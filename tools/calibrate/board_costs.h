// Writes fitted costs into a board file.
#pragma once

#include <cstddef>
#include <string>

#include "tools/calibrate/fit_costs.h"

namespace arenite::tools {

// Counts the entries of a board file that these costs are: a case that costs what its form does has
// none.
size_t count_entries(const planner::FormCosts& costs);

// `text` of a board file with these costs: those of other forms, and all other keys, stay. Throws
// InputError, beginning with `name`, where the text is no object.
std::string with_costs(const std::string& text, const std::string& name,
                       const planner::FormCosts& costs);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
