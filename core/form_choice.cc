// Chooses the form that carries out a step on this machine, among those that its facts let.
#include "core/form_choice.h"

#include "core/shape.h"

namespace arenite {

using format::ValueKind;
using format::ValueRecord;

namespace {

// The value whose bytes a value lies in: itself unless it is a view.
uint32_t root(const Bindings& bindings, uint32_t index) {
  const ValueRecord& v = bindings.values[index];
  return v.kind == static_cast<uint8_t>(ValueKind::kView) ? v.below_or_root : index;
}

// What of an operand a form does not take.
Code fault_of(const FormTask& task, const Step& step, const Form& form, uint32_t i) {
  if (form.alignment <= 1 && i >= step.input_count()) return Code::kOk;
  const uint32_t index = step.input_value(i);
  const Tensor operand = step.operand(i);
  if (form.alignment > 1) {
    uintptr_t address = reinterpret_cast<uintptr_t>(operand.data);
    if (!format::is_constant(index)) {
      const ValueRecord& v = task.bindings->values[index];
      address = v.offset | task.arenas[v.place].alignment;
    }
    if ((address & (form.alignment - 1u)) != 0) return Code::kBadAlignment;
  }
  if (i >= step.input_count()) return Code::kOk;
  if (!form.packings.take(i, operand.layout)) return Code::kBadLayout;
  const bool over_read = form.over_read_bytes != 0 && operand.layout == Layout::kStrided;
  const uint64_t extent = over_read ? extent_bytes(operand) : 0;
  return extent != 0 && extent + form.over_read_bytes > operand.bytes ? Code::kBadRange : Code::kOk;
}

}  // namespace

FormTask form_task(const Bindings& bindings, const Program& program,
                   const format::VariantRecord& variant, OpTable ops, CpuFeatures features) {
  return {.bindings = &bindings,
          .arenas = program.arenas().data() + variant.arena_first,
          .ops = ops,
          .features = features,
          .threads = variant.threads_max != 0 ? variant.threads_max : 1,
          .exact = (variant.flags & format::kExactForms) != 0};
}

const Form* FormChoice::choose(const OpEntry& entry, const Step& step) {
  refuse(Code::kNoForm, static_cast<uint32_t>(step.op()));
  const Form* planned = find_form(entry, step.record().form);
  if (planned != nullptr && fits(step, *entry.contract, *planned)) return planned;
  if (task_.exact) return nullptr;
  const Form* const* form = entry.forms;
  while (*form != nullptr) ++form;
  while (form != entry.forms) {
    --form;
    if (*form != planned && fits(step, *entry.contract, **form)) return *form;
  }
  return nullptr;
}

bool FormChoice::fits(const Step& step, const Contract& contract, const Form& form) {
  // Forms of other types or machines leave no reason: those that could run it do.
  if (!has(form.types, type_of(step, contract)) || (form.needs & ~task_.features) != 0) {
    return false;
  }
  for (uint32_t i = 0; i < step.operand_count(); ++i) {
    const uint32_t index = step.input_value(i);
    if (index == kNoIndex) continue;
    const Code fault = fault_of(task_, step, form, i);
    if (fault != Code::kOk) return refuse(fault, index);
  }
  const uint32_t scratch = step.has_scratch() ? step.scratch().bytes : 0;
  if (form.scratch != nullptr && scratch_bytes(form.scratch(step), task_.threads) > scratch) {
    return refuse(Code::kBadScratch);
  }
  return (form.accepts == nullptr || form.accepts(step)) && operands_apart(step, contract, &form);
}

// Roots that live on are disjoint already; this is for parts of the same one, and for those that
// yield at this step: it alone reads and writes then, and nothing of them is read later.
bool FormChoice::operands_apart(const Step& step, const Contract& contract, const Form* form) {
  const Bindings& bindings = *task_.bindings;
  const uint32_t inputs = step.input_count();
  const uint32_t count = step.operand_count();
  const bool transfer = step.where() == format::Where::kTransfer;
  const bool in_place = (contract.layout.kind == LayoutClass::kElementwise && !transfer) ||
                        (form != nullptr && form->in_place);
  for (uint32_t written = inputs; written < count; ++written) {
    const uint32_t out_index = step.input_value(written);
    const ValueRecord& out = bindings.values[out_index];
    for (uint32_t k = 0; k < written; ++k) {
      const uint32_t index = step.input_value(k);
      if (format::is_constant(index)) continue;  // or left out
      const ValueRecord& other = bindings.values[index];
      // The one starts inside the other; of the two distances one wraps round.
      const uint32_t ahead = other.offset - out.offset;
      if (other.place != out.place || other.bytes == 0 || out.bytes == 0 ||
          (ahead >= out.bytes && uint32_t{0} - ahead >= other.bytes)) {
        continue;
      }
      const Tensor from = step.operand(k);
      const Tensor to = step.operand(written);
      bool good = false;
      if (k < inputs && root(bindings, index) == root(bindings, out_index)) {
        // Parts of one storage.
        good = share_no_element(from, other.offset, to, out.offset);
      } else if (written == inputs) {
        good = (ahead == 0 && in_place && same_elements(from, to)) ||
               (form != nullptr && step.serial() && form->safe_distance != nullptr &&
                ahead < out.bytes && ahead >= form->safe_distance(step, k));
      }
      if (!good) return refuse(Code::kOverlap, index);
    }
  }
  return true;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
