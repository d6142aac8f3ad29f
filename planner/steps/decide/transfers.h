// Adds the transfers between CPU and device to the problem of assigning options to steps.
#pragma once

#include <span>

#include "planner/steps/decide/options.h"

namespace arenite::planner {

// `problem` has a node for each step, in order; `options` and `laid` are of the same steps. A value
// is a further node, whose option says where its bytes are needed: a transfer costs once, however
// many steps read what it brings.
//
//   step (CPU | Vulkan) --- value (CPU | Vulkan | both, which costs) --- step (CPU | Vulkan)
//
// Extends `rule`, a choice for the steps, by what follows for the values.
void add_transfers(std::span<const StepOptions> options, const LaidGraph& laid,
                   const MeasuredCost& transfer, assignment::Problem& problem,
                   assignment::Choice& rule);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
