// Where a device leaves steps out: the conditions for which its commands are cut into stretches.
#pragma once

#include <span>

#include "planner/options.h"
#include "planner/steps/schedule/schedule.h"
#include "planner/steps/variant/partition.h"

namespace arenite::planner {

// Gives device steps guards, StepWork::guards: those of their conditions that save more than it
// takes to cut the commands there, half of the runs leaving the steps out. Where the device
// computes a condition, the cut takes a wait for it and the transfer of a bool; where the CPU does,
// the commands before and behind run without one between them. Also marks the CPU steps by which
// the CPU knows conditions without waiting for the device, StepWork::early. Steps are in the order
// in which they run; `work` is of each.
void choose_cuts(const Schedule& schedule, const Board& board, std::span<StepWork> work);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
