// Walks back from the choices to find conditions, then forwards to see which the CPU can know.
#include "planner/steps/decide/kept_conditions.h"

#include <algorithm>
#include <vector>

#include "core/shape.h"
#include "planner/graph/op_facts.h"

namespace arenite::planner {
namespace {

using format::Where;

bool is_variable(const std::optional<Operand>& operand) {
  return operand.has_value() && !operand->constant;
}

class Keeper {
 public:
  Keeper(std::span<const StepOptions> options, const LaidGraph& laid, assignment::Choice& choice)
      : options_(options),
        storages_(laid.schedule.storages),
        choice_(choice),
        decides_(storages_.size()),
        known_(storages_.size(), true) {}

  void run() {
    for (size_t s = options_.size(); s-- != 0;) find_conditions(step(s));
    for (size_t s = 0; s < options_.size(); ++s) decide(s);
  }

 private:
  const ScheduledStep& step(size_t s) const { return options_[s].steps.front(); }

  bool is_bool(const std::optional<Operand>& operand) const {
    return is_variable(operand) && operand->dtype == DType::kBool &&
           span_elements(storages_[operand->index].form) == 1;
  }

  bool makes_condition(const ScheduledStep& step) const {
    return std::ranges::all_of(step.outputs, [&](const std::optional<Operand>& output) {
      return is_bool(output) && decides_[output->index];
    });
  }

  void find_conditions(const ScheduledStep& step) {
    if (step.is_view()) return;
    if (facts_of(step.op).chooses && is_bool(step.inputs[0])) {
      decides_[step.inputs[0]->index] = true;
    }
    if (!makes_condition(step)) return;
    for (const std::optional<Operand>& input : step.inputs) {
      if (is_bool(input)) decides_[input->index] = true;
    }
  }

  void decide(size_t s) {
    if (step(s).is_view()) return;
    const std::vector<StepOption>& options = options_[s].options;
    const bool is_known = std::ranges::all_of(step(s).inputs, [&](const auto& input) {
      return !is_variable(input) || known_[input->index];
    });
    const auto on_cpu = std::ranges::find(options, Where::kCpu, &StepOption::where);
    if (is_known && !options_[s].is_measured && makes_condition(step(s)) &&
        options[choice_[s]].where == Where::kVulkan && on_cpu != options.end()) {
      choice_[s] = static_cast<uint32_t>(on_cpu - options.begin());
    }
    if (is_known && options[choice_[s]].where == Where::kCpu) return;
    for (const std::optional<Operand>& output : step(s).outputs) {
      if (is_variable(output)) known_[output->index] = false;
    }
  }

  const std::span<const StepOptions> options_;
  const std::vector<Storage>& storages_;
  assignment::Choice& choice_;
  std::vector<bool> decides_;  // by storage: a bool that decides which of two values is taken
  std::vector<bool> known_;    // by storage: the CPU has it without waiting for the device
};

}  // namespace

void keep_on_cpu(std::span<const StepOptions> options, const LaidGraph& laid,
                 assignment::Choice& choice) {
  Keeper(options, laid, choice).run();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
