// Reads the measured costs of a board file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "planner/board/costs.h"

namespace arenite::planner {

// Throws InputError, beginning with `where`, that names the key.
StepCosts read_costs(const nlohmann::json& json, const std::string& where);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
