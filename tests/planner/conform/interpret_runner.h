// Runs a conformance case through the graph interpreter, before and after the passes.
#pragma once

#include <vector>

#include "planner/import/conform.h"

namespace arenite::planner {

std::vector<TensorData> run_interpreted(const ConformCase& test,
                                        const std::vector<NamedTensor>& inputs, bool optimized);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
