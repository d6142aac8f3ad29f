// The options of a step: which machine may compute it, in which form, and what that costs.
#pragma once

#include <cstdint>
#include <string>
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

struct RefusedOption {
  std::string name;  // "Conv.float32"
  std::string why;
};

// Shaders come first, then the CPU; of each, the rows of schema/forms.def in their order. The first
// option is the one of the rule without costs.
struct StepOptions {
  std::vector<ScheduledStep> steps;  // as the options need them, forms chosen
  std::vector<StepOption> options;
  bool is_measured = false;            // costs are picoseconds; else the place among the options
  std::vector<RefusedOption> refused;  // only where all are asked for
};

enum class OptionScope : uint8_t {
  kNeeded,  // not those that no assignment takes: without measured costs, all on a machine but the
            // first
  kAll
};

// The only option that a step may have.
struct GivenOption {
  const Form* form = nullptr;  // null: any form on any machine
  format::Where machine = format::Where::kCpu;
};

// Measured costs count where each option has one. A given option on the device is not asked whether
// it takes the step. Throws InputError where no form takes the step.
StepOptions options_of(const LaidNode& node, const Target& target, OptionScope scope,
                       StepMaker& maker, const ConstantPool& pool, const GivenOption& given = {});

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
