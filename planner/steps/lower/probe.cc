// Builds the tables of a program for one step, and binds a core Step to them.
#include "planner/steps/lower/probe.h"

namespace arenite::planner {

Probe::Probe(const ScheduledStep& step, const ConstantPool& pool) {
  for (const auto* operands : {&step.inputs, &step.outputs}) {
    for (const std::optional<Operand>& operand : *operands) {
      if (operand.has_value()) {
        tables_.add(
            {operand->dtype, operand->form, operand_bytes(*operand, pool), operand->constant});
      } else {
        tables_.add_absent();
      }
    }
  }
  tables_.set_step(step.op, step.inputs.size(), step.outputs.size(), step.attributes);
  tables_.bind();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
