// Checks that each step of a variant reads and writes what it may, from where it runs.
#include <new>

#include "core/shape.h"
#include "core/verifier.h"

namespace arenite {

using format::ValueKind;
using format::ValueRecord;
using format::Where;

bool Verifier::input_holds(const Step& step, uint32_t operand) const {
  if (!format::is_constant(operand)) {
    const ValueRecord& v = value(operand);
    if (v.first_step > step.index() || step.index() > v.last_step ||
        !written_before(operand, step.index())) {
      return false;
    }
  }
  return step.where() == Where::kView || reachable(operand, step.where() == Where::kCpu);
}

bool Verifier::shares_root_with_input(const Step& step, uint32_t index) const {
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    const uint32_t operand = step.input_value(i);
    if (!format::is_constant(operand) && root(operand) == root(index)) {
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
  if (step.where() == Where::kView) {
    // A view step does nothing: what it gives is bytes of one of its inputs.
    return shares_root_with_input(step, index);
  }
  if (v.first_step != step.index() || is_input(root(index)) ||
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
  const uint32_t from = step.input_value(0);
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  return step.op() == Op::kCopy && !format::is_constant(from) && x.bytes == y.bytes &&
         same_elements(x, y);
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
  for (uint32_t i = 0; i < step.operand_count(); ++i) {
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
  // What nearly all steps have: each is looked at many times, and resolved once.
  constexpr uint32_t kResolved = 8;
  Tensor operands[kResolved];
  for (uint32_t i = 0; i < task_.variant->step_count; ++i) {
    const uint32_t* words = bindings_.operands + steps_[i].operand_first;
    const uint32_t all = Step(bindings_, steps_[i], i).operand_count();
    const uint32_t count = all < kResolved ? all : kResolved;
    for (uint32_t k = 0; k < count; ++k) {
      if (words[k] != kNoIndex) {
        new (&operands[k]) Tensor(tensor_of(bindings_, words[k]));  // in place, not copied
      }
    }
    if (!step_holds(Step(bindings_, steps_[i], i, {operands, count}))) {
      status_.step = i;
      return false;
    }
  }
  return true;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
