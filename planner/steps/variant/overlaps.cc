// Asks the form's safe distance for each input that dies as the output is born.
#include "planner/steps/variant/overlaps.h"

#include <algorithm>

#include "planner/steps/lower/probe.h"

namespace arenite::planner {
namespace {

int64_t start_bytes(const Operand& operand) {
  return static_cast<int64_t>(operand.form.offset * element_bytes(operand.dtype));
}

bool same_form(const Operand& a, const Operand& b) {
  return a.dtype == b.dtype && a.form.layout == b.form.layout && a.form.dims == b.form.dims &&
         a.form.strides == b.form.strides;
}

bool is_at_start(const Operand& operand) { return operand.form.offset == 0; }

bool holds(const std::vector<uint32_t>& list, uint32_t storage) {
  return std::find(list.begin(), list.end(), storage) != list.end();
}

bool uses(const std::optional<Operand>& operand, uint32_t storage) {
  return operand.has_value() && !operand->constant && operand->index == storage;
}

class Finder {
 public:
  Finder(const Schedule& plan, const ConstantPool& pool, const OverlapPasses& passes,
         bool keep_inputs, StepOrder order)
      : plan_(plan),
        pool_(pool),
        passes_(passes),
        keep_inputs_(keep_inputs),
        any_order_(order == StepOrder::kAny) {}

  std::vector<OverlapPermission> run() {
    for (uint32_t s = 0; s < plan_.steps.size(); ++s) add_step(s);
    return std::move(found_);
  }

 private:
  void add_step(uint32_t s) {
    const ScheduledStep& step = plan_.steps[s];
    const bool cpu = step.where == format::Where::kCpu;
    if (!cpu && step.where != format::Where::kVulkan) return;
    if (step.outputs.empty() || !step.outputs[0].has_value()) return;
    const Operand& output = *step.outputs[0];
    const bool born = any_order_ || plan_.storages[output.index].lifetime.first == s;
    if (!born || holds(plan_.inputs, output.index)) return;
    std::vector<uint32_t> tried;
    for (const std::optional<Operand>& input : step.inputs) {
      if (!input.has_value() || input->constant || holds(tried, input->index)) continue;
      tried.push_back(input->index);
      if (may_yield(s, input->index)) add_pair(s, input->index);
    }
  }

  bool may_yield(uint32_t s, uint32_t storage) const {
    const ScheduledStep& step = plan_.steps[s];
    const bool written =
        std::any_of(step.outputs.begin(), step.outputs.end(),
                    [&](const std::optional<Operand>& o) { return uses(o, storage); });
    const format::ArenaKind kind = plan_.storages[storage].kind;
    const bool dies = any_order_ || plan_.storages[storage].lifetime.last == s;
    return dies && !written && plan_.storages[storage].shares_memory() &&
           kind == plan_.storages[step.outputs[0]->index].kind && !holds(plan_.outputs, storage) &&
           !(keep_inputs_ && holds(plan_.inputs, storage));
  }

  // All operands that lie in the storage are read at their own places.
  void add_pair(uint32_t s, uint32_t storage) {
    const ScheduledStep& step = plan_.steps[s];
    const Operand& output = *step.outputs[0];
    const Probe probe(step, pool_);
    const bool cpu = step.where == format::Where::kCpu;
    const StepForms& forms = step.forms;
    const bool elementwise = contract_of(step.op).layout.kind == LayoutClass::kElementwise;
    bool in_place = passes_.in_place;
    bool serial = cpu && passes_.serial_steps;
    int64_t place = INT64_MIN;
    int64_t safe = INT64_MIN;
    for (uint32_t i = 0; i < step.inputs.size(); ++i) {
      if (!uses(step.inputs[i], storage)) continue;
      const Operand& input = *step.inputs[i];
      const int64_t distance = start_bytes(output) - start_bytes(input);
      in_place = in_place && (cpu ? forms.in_place(i) : elementwise) &&
                 (passes_.moving_parts || (is_at_start(input) && is_at_start(output))) &&
                 same_form(input, output) && (place == INT64_MIN || place == distance);
      place = distance;
      const uint64_t bytes = serial ? forms.safe_distance(probe.step(), i) : kNoOverlap;
      serial = serial && bytes != kNoOverlap;
      if (serial) safe = std::max(safe, distance + static_cast<int64_t>(bytes));
    }
    // Element by element there is nothing to keep back, wherever the input lies.
    serial = serial && (passes_.partial_overlap || (in_place && safe == place));
    if (!serial) safe = INT64_MAX;
    if (!in_place && (!serial || is_apart(storage, output.index, safe))) return;
    found_.push_back({s, {storage, output.index, in_place ? place : safe}, in_place, safe});
  }

  // Whether an input that far behind the output shares nothing with it anyway.
  bool is_apart(uint32_t input, uint32_t output, int64_t safe) const {
    return plan_.storages[input].bytes == 0 ||
           safe >= static_cast<int64_t>(plan_.storages[output].bytes);
  }

  const Schedule& plan_;
  const ConstantPool& pool_;
  const OverlapPasses passes_;
  const bool keep_inputs_;
  const bool any_order_;
  std::vector<OverlapPermission> found_;
};

}  // namespace

std::vector<OverlapPermission> find_overlaps(const Schedule& plan, const ConstantPool& pool,
                                             const OverlapPasses& passes, bool keep_inputs,
                                             StepOrder order) {
  return Finder(plan, pool, passes, keep_inputs, order).run();
}

std::optional<int64_t> shared_distance(const Schedule& plan, const OverlapPermission& permission) {
  const Storage& input = plan.storages[permission.overlap.input];
  const Storage& output = plan.storages[permission.overlap.output];
  const uint64_t low = std::max(input.offset, output.offset);
  if (input.arena != output.arena || low >= input.offset + input.bytes ||
      low >= output.offset + output.bytes) {
    return std::nullopt;
  }
  return int64_t{input.offset} - int64_t{output.offset};
}

bool is_kept(const Schedule& plan, const OverlapPermission& permission) {
  const auto distance = shared_distance(plan, permission);
  return !distance.has_value() || *distance >= permission.serial_safe_bytes ||
         (permission.in_place && *distance == permission.overlap.lead_bytes);
}

void mark_overlaps(Schedule& plan, const std::vector<OverlapPermission>& permissions) {
  for (Storage& storage : plan.storages) storage.yields = false;
  for (ScheduledStep& step : plan.steps) step.serial = false;
  for (const OverlapPermission& permission : permissions) {
    const auto distance = shared_distance(plan, permission);
    if (!distance.has_value()) continue;
    plan.storages[permission.overlap.input].yields = true;
    if (!permission.in_place || *distance != permission.overlap.lead_bytes) {
      plan.steps[permission.step].serial = true;
    }
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
