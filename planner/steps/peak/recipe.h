// The choices that made steps of a graph, so that they can be made again of the same graph with
// other dims.
#pragma once

#include <cstdint>
#include <vector>

#include "core/form.h"
#include "core/format.h"
#include "planner/steps/variant/partition.h"

namespace arenite::planner {

struct StepRecipe {
  std::vector<uint32_t> parts_in_place;  // nodes as they are laid out (layout/parts.h)
  std::vector<const Form*> forms;        // of the steps as they are laid out, null for views
  std::vector<format::Where> machines;   // of these steps
  std::vector<uint32_t> order;           // of these steps; empty: as they are laid out
  std::vector<StepWork> work;            // of these steps in their order; empty: a CPU variant
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
