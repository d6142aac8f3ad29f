// Multiplies a step's work by what a unit takes.
#include "planner/steps/decide/costs.h"

#include <algorithm>
#include <cmath>

#include "planner/graph/names.h"
#include "planner/graph/target_forms.h"
#include "planner/graph/work.h"
#include "portable_fallback/form_names.h"

namespace arenite::planner {

std::string option_name(const Form& form, format::Where where) {
  const FormNames* names = find_form_names(form.op, form.number);
  const std::string key =
      names != nullptr ? names->key : op_name(form.op) + "." + std::to_string(form.number);
  return where == format::Where::kVulkan ? key.substr(0, key.find('.')) + ".vulkan" : key;
}

uint64_t units_of(const ScheduledStep& step) {
  const auto dims_of = [&](size_t i) {
    const bool there = i < step.inputs.size() && step.inputs[i].has_value();
    return there ? step.inputs[i]->form.dims : std::vector<uint32_t>();
  };
  const bool has_result = !step.outputs.empty() && step.outputs[0].has_value();
  const uint64_t results = has_result ? element_count(step.outputs[0]->form.dims) : 1;
  // Neither factor passes 2^32.
  return results * operations_each({contract_of(step.op).work, dims_of(0), dims_of(1), results,
                                    step.attributes});
}

assignment::Cost measured(const MeasuredCost& cost, uint64_t units) {
  constexpr double kMost = 1e18;  // a million seconds: so many sums of it are not impossible ones
  return static_cast<assignment::Cost>(
      std::min(std::round(cost.ps + cost.ps_per_unit * static_cast<double>(units)), kMost));
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
