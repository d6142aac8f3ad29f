// A part of a subgraph as a subgraph of its own: some of its tensors, and what they need.
#pragma once

#include <string>
#include <vector>

#include "planner/import/tflite/model.h"

namespace arenite::planner::tflite {

// Makes the tensors that `outputs` names, by the names of their values, the subgraph's outputs.
// Operators and inputs that these do not need go. Returns a note of what went. Throws InputError
// for names that no value has.
std::string cut(Subgraph& subgraph, const std::vector<std::string>& names,
                const std::vector<std::string>& outputs);

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
