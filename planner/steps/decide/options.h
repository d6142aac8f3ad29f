// The options of a step: which machine may compute it, in which form, and what that costs.
#pragma once

#include <cstdint>
#include <vector>

#include "core/format.h"
#include "planner/steps/decide/assignment.h"
#include "planner/steps/decide/target.h"
#include "planner/steps/lower/lower.h"

namespace arenite::planner {

struct StepOption {
  format::Where where = format::Where::kCpu;
  const Form* form = nullptr;  // on the CPU; of a Vulkan step the one whose packings its constants
                               // are in
  uint32_t step = 0;           // of StepOptions::steps
  assignment::Cost cost = 0;
};

// The first option is the one of today's rule: shaders where they take the step, else the first row
// of schema/forms.def that does.
struct StepOptions {
  std::vector<ScheduledStep> steps;  // as the options need them, forms chosen
  std::vector<StepOption> options;
};

// Options that no assignment needs are left out: without measured costs, those of all forms but the
// first that takes the step. Throws InputError where no form does.
StepOptions options_of(const LaidNode& node, const Graph& graph, const LaidGraph& laid,
                       const Target& target, StepMaker& maker, const ConstantPool& pool);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
