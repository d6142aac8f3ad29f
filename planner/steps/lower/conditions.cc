// Walks the steps backwards: a step is needed where one that reads its results is needed, and
// chooses them.
#include "planner/steps/lower/conditions.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "planner/graph/op_facts.h"

namespace arenite::planner {
namespace {

using Conditions = std::vector<StepCondition>;  // sorted; all hold where a step is needed

// More than that would only be other ways to say that a step is not needed.
constexpr size_t kConditionsMax = 4;

constexpr size_t kChosenFirst = 1;  // the operand that is taken if the condition holds
constexpr size_t kChosenElse = 2;

// The storage of the single bool by which a step chooses between two operands.
std::optional<uint32_t> choice_of(const Schedule& schedule, const ScheduledStep& step) {
  if (!facts_of(step.op).chooses || step.inputs[0]->constant) return std::nullopt;
  const uint32_t condition = step.inputs[0]->index;
  if (span_elements(schedule.storages[condition].form) != 1) return std::nullopt;
  return condition;
}

Conditions with(Conditions conditions, StepCondition added) {
  const auto at = std::ranges::lower_bound(conditions, added);
  if (at == conditions.end() || *at != added) conditions.insert(at, added);
  return conditions;
}

class NeedsOfSteps {
 public:
  explicit NeedsOfSteps(Schedule& schedule)
      : schedule_(schedule),
        needed_(schedule.storages.size()),
        written_by_(schedule.storages.size()) {
    for (const uint32_t output : schedule.outputs) needed_[output] = Conditions{};
    for (uint32_t s = 0; s < schedule.steps.size(); ++s) {
      const ScheduledStep& step = schedule.steps[s];
      if (step.is_view()) continue;
      for (const std::optional<Operand>& output : step.outputs) {
        if (output.has_value() && !output->constant) written_by_[output->index] = s + 1;
      }
    }
  }

  void set_all() {
    for (uint32_t s = static_cast<uint32_t>(schedule_.steps.size()); s-- != 0;) {
      if (!schedule_.steps[s].is_view()) set(s);
    }
  }

 private:
  // Whether the last step that writes the condition comes before step `s`; inputs are there.
  bool is_known(const StepCondition& condition, uint32_t s) const {
    return written_by_[condition.storage] <= s;
  }

  // A storage is needed where this use needs it, or one before did.
  void use(uint32_t storage, const Conditions& where) {
    std::optional<Conditions>& all = needed_[storage];
    if (!all.has_value()) {
      all = where;
      return;
    }
    Conditions both;
    std::ranges::set_intersection(*all, where, std::back_inserter(both));
    all = std::move(both);
  }

  Conditions needs_of(const ScheduledStep& step) const {
    std::optional<Conditions> needs;
    for (const std::optional<Operand>& output : step.outputs) {
      if (!output.has_value() || output->constant) continue;
      const Conditions own = needed_[output->index].value_or(Conditions{});
      Conditions both;
      if (needs.has_value()) std::ranges::set_intersection(*needs, own, std::back_inserter(both));
      needs = needs.has_value() ? both : own;
    }
    return needs.value_or(Conditions{});
  }

  void set(uint32_t s) {
    ScheduledStep& step = schedule_.steps[s];
    const Conditions needs = needs_of(step);
    const std::optional<uint32_t> choice = choice_of(schedule_, step);
    for (size_t i = 0; i < step.inputs.size(); ++i) {
      if (!step.inputs[i].has_value() || step.inputs[i]->constant) continue;
      const bool chosen = choice.has_value() && (i == kChosenFirst || i == kChosenElse);
      use(step.inputs[i]->index, chosen ? with(needs, {*choice, i == kChosenFirst}) : needs);
    }
    step.conditions.clear();
    for (const StepCondition& condition : needs) {
      if (step.conditions.size() < kConditionsMax && is_known(condition, s)) {
        step.conditions.push_back(condition);
        use(condition.storage, needs);
      }
    }
  }

  Schedule& schedule_;
  std::vector<std::optional<Conditions>> needed_;  // by storage; none where nobody reads it
  std::vector<uint32_t> written_by_;  // by storage: the step that writes it last, and one more; 0
};

}  // namespace

void set_conditions(Schedule& schedule) { NeedsOfSteps(schedule).set_all(); }

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
