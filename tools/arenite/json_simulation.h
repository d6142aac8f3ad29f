// The part of a run's JSON object that only simulated runs have.
#pragma once

#include "tools/arenite/json_value.h"
#include "tools/simulate/simulate.h"

namespace arenite::tools {

Json simulation_json(const Simulation& simulation);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
