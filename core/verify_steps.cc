// Checks that each step of a variant reads and writes what it may, from where it runs.
#include "core/shape.h"
#include "core/verifier.h"

namespace arenite {

using format::ValueKind;
using format::ValueRecord;
using format::Where;

bool Verifier::input_holds(const Step& step, uint32_t index) const {
  const ValueRecord& v = value(index);
  const bool there = kind_of(v) == ValueKind::kConstant ||
                     (v.first_step <= step.index() && step.index() <= v.last_step &&
                      written_before(index, step.index()));
  return there && (step.where() == Where::kView || reachable(index, step.where() == Where::kCpu));
}

bool Verifier::shares_root_with_input(const Step& step, uint32_t index) const {
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    if (step.has_input(i) && root(step.input_value(i)) == root(index)) {
      return true;
    }
  }
  return false;
}

// Output k, or the scratch when k is output_count. It may be a view: a part of a root that several
// steps fill.
bool Verifier::output_holds(const Step& step, uint32_t k) const {
  const uint32_t index = step.output_value(k);
  const ValueRecord& v = value(index);
  const bool constant = kind_of(v) == ValueKind::kConstant;
  if (step.where() == Where::kView) {
    // A view step does nothing: what it gives is a constant, or bytes of one of its inputs.
    return constant || shares_root_with_input(step, index);
  }
  if (constant || v.first_step != step.index() || is_input(root(index)) ||
      !reachable(index, step.where() == Where::kCpu)) {
    return false;
  }
  if (k == step.output_count() &&
      (kind_of(v) != ValueKind::kArena || v.last_step != step.index())) {
    return false;
  }
  return true;
}

// Same elements in the same places: the device copies bytes. The contract of copy has seen one
// input and one output of the same type and dims.
bool Verifier::transfer_holds(const Step& step) const {
  const ValueRecord& from = value(step.input_value(0));
  const ValueRecord& to = value(step.output_value(0));
  return step.op() == Op::kCopy && kind_of(from) != ValueKind::kConstant &&
         from.bytes == to.bytes && same_elements(step.input(0), step.output(0));
}

bool Verifier::operator_holds(const Step& step) {
  const OpEntry* entry = find_op(task_.forms->ops, step.op());
  if (entry == nullptr) {
    return refuse(Code::kNoForm, static_cast<uint32_t>(step.op()));
  }
  if (const Status status = check_contract(step, *entry->contract); !status.ok()) {
    return refuse(status);
  }
  FormChoice choice(*task_.forms);
  if (step.where() == Where::kCpu) {
    const Form* form = choice.choose(*entry, step);
    if (form == nullptr) {
      return refuse(choice.status());
    }
    has_planned_forms_ = has_planned_forms_ && form->number == step.record().form;
    return true;
  }
  if (step.where() == Where::kTransfer && !transfer_holds(step)) {
    return refuse(Code::kBadStep);
  }
  return choice.operands_apart(step, *entry->contract, nullptr) || refuse(choice.status());
}

bool Verifier::step_holds(const Step& step) {
  const bool on_device = step.where() == Where::kVulkan || step.where() == Where::kTransfer;
  // On a device it writes there, so that there is one to run it.
  if (step.output_count() == 0 && on_device) {
    return refuse(Code::kBadStep);
  }
  const uint32_t inputs = step.input_count();
  for (uint32_t i = 0; i < inputs + step.output_count() + step.record().scratch_count; ++i) {
    const uint32_t index = step.input_value(i);
    if (index == kNoIndex) {
      continue;
    }
    if (!(i < inputs ? input_holds(step, index) : output_holds(step, i - inputs))) {
      return refuse(Code::kBadStep, index);
    }
  }
  return step.where() == Where::kView || operator_holds(step);
}

bool Verifier::steps() {
  for (uint32_t i = 0; i < task_.variant->step_count; ++i) {
    if (!step_holds(Step(bindings_, steps_[i], i))) {
      status_.step = i;
      return false;
    }
  }
  return true;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
