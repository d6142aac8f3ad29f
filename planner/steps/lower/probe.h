// Shows one lowered step to code that reads stored records: forms' facts, Vulkan support.
#pragma once

#include "planner/graph/step_tables.h"
#include "planner/steps/lower/lower.h"

namespace arenite::planner {

// Holds records for one step; no data is behind them. Must not move while the step is in use.
class Probe {
 public:
  Probe(const ScheduledStep& step, const ConstantPool& pool);

  Step step() const { return tables_.step(); }

 private:
  StepTables tables_;
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
