// Looks at the dims of each step that has a cost.
#include "tools/calibrate/step_samples.h"

#include "core/form_choice.h"
#include "core/step.h"
#include "planner/steps/decide/costs.h"
#include "portable_fallback/form_names.h"
#include "portable_fallback/forms.h"
#include "tools/simulate/predict.h"

namespace arenite::tools {
namespace {

using format::Where;

std::string name_of(const Step& step, const Program& program, const format::VariantRecord& variant,
                    std::optional<CpuFeatures> features) {
  if (step.where() == Where::kVulkan) {
    return planner::option_name(**find_op(all_ops(), step.op())->forms, Where::kVulkan);
  }
  uint8_t number = step.record().form;
  if (features) {
    const FormTask task = form_task(step.bindings(), program, variant, all_ops(), *features);
    const Form* form = FormChoice(task).choose(*find_op(all_ops(), step.op()), step);
    if (form == nullptr) return "";
    number = form->number;
  }
  const FormNames* names = find_form_names(step.op(), number);
  return names == nullptr ? "" : names->key;
}

}  // namespace

std::vector<CostSample> step_samples(const ProgramFile& file, uint32_t method, uint32_t variant,
                                     const CostTable& table, double ps_per_cost,
                                     std::optional<CpuFeatures> features) {
  const Program& program = file.program();
  const format::VariantRecord& record =
      program.variants()[program.methods()[method].variant_first + variant];
  const Bindings bindings = program.bindings_of(record);
  const auto steps = program.steps_of(record);
  std::vector<CostSample> samples;
  for (const StepCost& measured : table.steps) {
    if (!measured.cost || *measured.cost <= 0) continue;
    const Step step(bindings, steps[measured.row.index], measured.row.index);
    if (step.where() != Where::kCpu && step.where() != Where::kVulkan) continue;
    const planner::StepFacts facts = facts_of(step);
    CostSample sample{.form = name_of(step, program, record, features),
                      .which = planner::case_of(facts),
                      .size = planner::size_of(facts),
                      .ps = *measured.cost * ps_per_cost};
    if (!sample.form.empty()) samples.push_back(std::move(sample));
  }
  return samples;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
