// Makes the step once for each packing that forms want, and asks forms and shaders about it.
#include "planner/steps/decide/options.h"

#include <optional>

#include "planner/graph/names.h"
#include "planner/steps/lower/probe.h"

namespace arenite::planner {
namespace {

using format::Where;

// Costs where nothing is measured: a later row costs more than any machine of an earlier one, and
// the CPU more than a device.
assignment::Cost cost_by_rank(uint32_t row, Where where) {
  return 2 * assignment::Cost{row} + (where == Where::kVulkan ? 0 : 1);
}

}  // namespace

StepOptions options_of(const LaidNode& node, const Graph& graph, const LaidGraph& laid,
                       const Target& target, StepMaker& maker, const ConstantPool& pool) {
  StepOptions result;
  ScheduledStep step;
  std::optional<Packings> made_for;
  uint32_t row = 0;
  const DType type = type_of_node(graph, laid, node);
  for (const Form* form : candidate_forms(target.forms, node.node.op, type)) {
    const Packings wanted = wanted_packings(target, *form);
    if (made_for != wanted) step = maker.make(node, wanted);
    made_for = wanted;
    const Probe probe(step, pool);
    if (accepts(*form, probe.step())) {
      const DType stored = arenite::type_of(probe.step(), contract_of(step.op));
      const Form& reference = reference_form(target.forms, probe.step(), stored);
      const auto made = static_cast<uint32_t>(result.steps.size());
      result.steps.push_back(step);
      result.steps.back().forms = StepForms(form, target.forms.exact ? nullptr : &reference);
      if (target.shaders && target.shaders(probe.step())) {
        result.options.push_back({Where::kVulkan, form, made, cost_by_rank(row, Where::kVulkan)});
      }
      result.options.push_back({Where::kCpu, form, made, cost_by_rank(row, Where::kCpu)});
      break;
    }
    ++row;
  }
  if (result.options.empty()) {
    throw InputError("node " + printable(node_name(node.node)) + ": no form of " +
                     op_name(node.node.op) + " accepts it");
  }
  return result;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
