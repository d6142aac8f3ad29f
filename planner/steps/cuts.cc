// Drops the conditions and stretches that do not pay, until all that are left do.
//
//   conditions of steps   . . A A A . . B B . A      guards   . . A A A . . . . . .
//   stretches             |---|-----|---|---|-|               |---|-----|---------|
#include "planner/steps/cuts.h"

#include <algorithm>
#include <map>
#include <vector>

#include "core/shape.h"
#include "planner/graph/op_facts.h"
#include "planner/steps/decide/costs.h"

namespace arenite::planner {
namespace {

using format::Where;
using Guards = std::vector<StepCondition>;

// Where a board's file says nothing: about what a small GPU takes, not a measurement.
constexpr MeasuredCost kDeviceStep = {.ps_per_unit = 10, .ps = 3e6};

// Of one step, a record each. Trips of a loop are made only behind those before: where one of the
// last few is known not to be made, nobody has to wait for the trip's own condition.
constexpr size_t kGuardsMax = 8;
constexpr size_t kImpliedMax = 64;  // that are looked at to find them

// A bool that an early step makes.
constexpr uint64_t kEarlyBytesMax = 64;

class CutChooser {
 public:
  CutChooser(const Schedule& schedule, const StepCosts& costs, std::span<StepWork> work)
      : schedule_(schedule),
        costs_(costs),
        work_(work),
        written_by_(schedule.storages.size()),
        selected_(schedule.storages.size()) {
    for (uint32_t s = 0; s < schedule.steps.size(); ++s) {
      if (schedule.steps[s].is_view()) continue;
      for (const std::optional<Operand>& output : schedule.steps[s].outputs) {
        if (output.has_value() && !output->constant) written_by_[output->index].push_back(s);
      }
      if (!is_on_device(s)) continue;
      for (const StepCondition& condition : schedule.steps[s].conditions) {
        selected_[condition.storage] = true;
      }
    }
  }

  void run() {
    find_early();
    do {
      select_stretches();
    } while (drop_conditions());
  }

 private:
  // Whether the CPU knows a storage before the device has begun.
  bool is_early(uint32_t storage) const {
    return std::ranges::all_of(written_by_[storage], [&](uint32_t s) { return work_[s].early; });
  }

  void find_early() {
    for (uint32_t s = 0; s < schedule_.steps.size(); ++s) {
      const ScheduledStep& step = schedule_.steps[s];
      if (step.where == Where::kVulkan) continue;
      const auto is_known = [&](const std::optional<Operand>& operand) {
        return !operand.has_value() || operand->constant || is_early(operand->index);
      };
      const auto is_small = [&](const std::optional<Operand>& operand) {
        return !operand.has_value() || operand->constant ||
               (schedule_.storages[operand->index].bytes <= kEarlyBytesMax &&
                (step.is_view() || written_by_[operand->index].size() == 1));
      };
      work_[s].early = std::ranges::all_of(step.inputs, is_known) &&
                       std::ranges::all_of(step.outputs, is_small) &&
                       std::ranges::all_of(step.conditions, [&](const StepCondition& condition) {
                         return is_early(condition.storage);
                       });
    }
  }

  bool is_on_device(uint32_t s) const { return schedule_.steps[s].where == Where::kVulkan; }

  double cost_of(uint32_t s) const {
    const ScheduledStep& step = schedule_.steps[s];
    const MeasuredCost* cost =
        find_cost(costs_, option_name(*step.forms.chosen(), step.where), step);
    return static_cast<double>(measured(cost != nullptr ? *cost : kDeviceStep, step));
  }

  // All guards that steps may have, but for those of stretches that do not pay.
  void select_stretches() {
    saved_.assign(schedule_.storages.size(), 0);
    for (uint32_t s = 0; s < schedule_.steps.size(); ++s) {
      work_[s].guards.clear();
      if (is_on_device(s)) work_[s].guards = candidates_of(schedule_.steps[s]);
    }
    for (uint32_t s = 0; s < schedule_.steps.size();) s = select_stretch(s);
  }

  // The stretch of steps with the same guards that begins at `first`; its end.
  uint32_t select_stretch(uint32_t first) {
    if (work_[first].guards.empty()) return first + 1;
    const Guards guards = work_[first].guards;
    double cost = 0;
    uint32_t end = first;
    for (; end < schedule_.steps.size(); ++end) {
      if (schedule_.steps[end].is_view()) continue;
      if (work_[end].guards != guards) break;
      cost += cost_of(end);
    }
    const bool pays = cost / 2 >= costs_.cut_ps;
    for (uint32_t s = first; s < end; ++s) {
      if (!pays) work_[s].guards.clear();
    }
    for (const StepCondition& guard : guards) {
      if (pays) saved_[guard.storage] += cost;
    }
    return end;
  }

  // Whether the device has to be waited for before the CPU reads the condition.
  bool takes_wait(uint32_t storage) const {
    return std::ranges::any_of(written_by_[storage], [&](uint32_t s) { return is_on_device(s); });
  }

  // False where all that are left pay.
  bool drop_conditions() {
    bool dropped = false;
    for (uint32_t storage = 0; storage < saved_.size(); ++storage) {
      if (saved_[storage] == 0 || !takes_wait(storage)) continue;
      const double transfer = static_cast<double>(measured(costs_.transfer, 1));
      if (saved_[storage] / 2 >= costs_.wait_ps + transfer) continue;
      selected_[storage] = false;
      dropped = true;
    }
    return dropped;
  }

  // The bools that hold wherever this one does: of where(a, b, a), both.
  std::vector<uint32_t> implied_by(uint32_t storage) const {
    if (written_by_[storage].size() != 1) return {};
    const ScheduledStep& step = schedule_.steps[written_by_[storage].front()];
    const auto is_variable = [&](size_t i) {
      return step.inputs[i].has_value() && !step.inputs[i]->constant &&
             span_elements(schedule_.storages[step.inputs[i]->index].form) == 1;
    };
    if (!facts_of(step.op).chooses || !is_variable(0) || !is_variable(2) ||
        step.inputs[0]->index != step.inputs[2]->index) {
      return {};
    }
    std::vector<uint32_t> implied = {step.inputs[0]->index};
    if (is_variable(1)) implied.push_back(step.inputs[1]->index);
    return implied;
  }

  // A condition, then those that hold wherever it does, the nearest first; alone where the CPU
  // reads it without waiting.
  Guards with_implied(const StepCondition& condition) const {
    Guards guards = {condition};
    if (!takes_wait(condition.storage)) return guards;
    for (size_t i = 0; i < guards.size() && guards[i].holds; ++i) {
      for (const uint32_t storage : implied_by(guards[i].storage)) {
        const StepCondition implied{storage, true};
        if (!std::ranges::count(guards, implied) && guards.size() < kImpliedMax) {
          guards.push_back(implied);
        }
      }
    }
    return guards;
  }

  // The guards that a step may have: its conditions and what follows from these.
  Guards candidates_of(const ScheduledStep& step) {
    Guards candidates;
    for (const StepCondition& condition : step.conditions) {
      auto [found, added] = implied_.try_emplace(condition);
      if (added) found->second = with_implied(condition);
      for (const StepCondition& guard : found->second) {
        const bool is_new = selected_[guard.storage] && !std::ranges::count(candidates, guard);
        if (is_new && candidates.size() < kGuardsMax) candidates.push_back(guard);
      }
    }
    return candidates;
  }

  const Schedule& schedule_;
  const StepCosts& costs_;
  const std::span<StepWork> work_;
  std::vector<std::vector<uint32_t>> written_by_;  // by storage
  std::vector<bool> selected_;                     // by storage: it pays as a guard, so far
  std::vector<double> saved_;  // by storage: picoseconds of the steps that it guards
  std::map<StepCondition, Guards> implied_;
};

}  // namespace

void choose_cuts(const Schedule& schedule, const Board& board, std::span<StepWork> work) {
  CutChooser(schedule, board.costs, work).run();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
