// Visits the steps in order: a storage's first use begins its life, its last use ends it.
#include "planner/steps/variant/lifetimes.h"

#include <algorithm>

namespace arenite::planner {

void set_lifetimes(Schedule& plan, bool keep_inputs) {
  const auto step_count = static_cast<uint32_t>(plan.steps.size());
  const uint32_t end = step_count == 0 ? 0 : step_count - 1;
  std::vector<bool> born(plan.storages.size());
  for (const uint32_t r : plan.inputs) {
    born[r] = true;
    const bool kept = keep_inputs || plan.storages[r].kind == format::ArenaKind::kState;
    plan.storages[r].lifetime = {0, kept ? end : 0};
  }
  const auto use = [&](uint32_t r, uint32_t step) {
    memory::Lifetime& live = plan.storages[r].lifetime;
    if (!born[r]) live.first = step;
    born[r] = true;
    live.last = std::max(live.last, step);
  };
  for (uint32_t s = 0; s < step_count; ++s) {
    const ScheduledStep& step = plan.steps[s];
    for (const auto* operands : {&step.inputs, &step.outputs}) {
      for (const std::optional<Operand>& operand : *operands) {
        if (operand.has_value() && !operand->constant) use(operand->index, s);
      }
    }
    if (step.scratch.has_value()) use(*step.scratch, s);
    for (const StepCondition& condition : step.conditions) {
      // The host reads the conditions of a device's steps when all of them have run.
      use(condition.storage, step.where == format::Where::kVulkan ? end : s);
    }
  }
  for (const uint32_t r : plan.outputs) plan.storages[r].lifetime.last = end;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
