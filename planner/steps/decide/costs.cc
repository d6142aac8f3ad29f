// Multiplies a step's work by what a unit takes.
#include "planner/steps/decide/costs.h"

#include <algorithm>
#include <cmath>

#include "planner/graph/names.h"
#include "planner/graph/target_forms.h"
#include "portable_fallback/form_names.h"

namespace arenite::planner {

std::string option_name(const Form& form, format::Where where) {
  const FormNames* names = find_form_names(form.op, form.number);
  const std::string key =
      names != nullptr ? names->key : op_name(form.op) + "." + std::to_string(form.number);
  return where == format::Where::kVulkan ? key.substr(0, key.find('.')) + ".vulkan" : key;
}

double picoseconds(const MeasuredCost& cost, const StepSize& size) {
  double sum = 0;
  for (const CostKey& key : kCostKeys) sum += cost.*key.ps * size[static_cast<size_t>(key.term)];
  return sum;
}

namespace {

OperandFacts operand_facts(const std::optional<Operand>& operand) {
  if (!operand) return {};
  const Strided& form = operand->form;
  return {form.dims, form.layout == Layout::kStrided ? form.strides : std::vector<uint32_t>(),
          static_cast<uint32_t>(element_bytes(operand->dtype)), operand->dtype == DType::kUint8};
}

StepFacts size_facts(const ScheduledStep& step) {
  StepFacts facts;
  facts.op = step.op;
  for (const auto& input : step.inputs) facts.inputs.push_back(operand_facts(input));
  if (!step.outputs.empty()) facts.output = operand_facts(step.outputs[0]);
  facts.attributes = step.attributes;
  return facts;
}

assignment::Cost whole(double ps) {
  constexpr double kMost = 1e18;  // a million seconds: so many sums of it are not impossible ones
  return static_cast<assignment::Cost>(std::min(std::round(ps), kMost));
}

}  // namespace

const MeasuredCost* find_cost(const StepCosts& costs, const std::string& option,
                              const ScheduledStep& step) {
  return costs.find(option, case_of(size_facts(step)));
}

assignment::Cost measured(const MeasuredCost& cost, const ScheduledStep& step) {
  return whole(picoseconds(cost, size_of(size_facts(step))));
}

assignment::Cost measured(const MeasuredCost& cost, uint64_t bytes) {
  return whole(cost.ps + cost.ps_per_unit * static_cast<double>(bytes));
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
