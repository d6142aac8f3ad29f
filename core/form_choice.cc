// Takes the planned form where it fits the step and has no better kin, else the first form that
// fits; notes why others do not.
#include "core/form_choice.h"

#include "core/shape.h"

namespace arenite {

using format::ValueRecord;

namespace {

#define ARENITE_CPU_FEATURE(number, name, Name) \
  static_assert(bit_of(CpuFeature::k##Name) != kCodeElsewhere);
#include "schema/cpu_features.def"

// The reason why a form does not take operand i.
Code fault_of(const FormTask& task, const Step& step, const Form& form, uint32_t i) {
  const uint32_t index = step.operand_words()[i];
  const format::ElementsRecord& operand = step.elements(i);
  if (form.alignment > 1) {
    const uintptr_t address =
        format::is_constant(index)
            ? reinterpret_cast<uintptr_t>(step.operand(i).data)
            : uintptr_t{operand.offset | task.arenas[operand.place].alignment};
    if ((address & (form.alignment - 1u)) != 0) return Code::kBadAlignment;
  }
  if (i >= step.input_count()) return Code::kOk;
  if (form.over_read_bytes == 0 || operand.layout != static_cast<uint8_t>(Layout::kStrided)) {
    return Code::kOk;
  }
  const uint64_t extent = extent_bytes(step.operand(i));
  return extent != 0 && extent + form.over_read_bytes > operand.bytes ? Code::kBadRange : Code::kOk;
}

// Whether values that are parts of one storage share no byte.
[[gnu::noinline]] bool parts_apart(const Bindings& bindings, uint32_t a, uint32_t b) {
  return share_no_element(tensor_of(bindings, a), bindings.values[a].offset, tensor_of(bindings, b),
                          bindings.values[b].offset);
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
  const DType type = type_of(step, *entry.contract);
  const Form* planned = find_form(entry, step.record().form);
  // A form with kin waits for its turn: better ones stand before it.
  if (planned != nullptr && (planned->kin == 0 || task_.exact || task_.as_planned) &&
      fits(step, *entry.contract, type, *planned)) {
    return planned;
  }
  for (const Form* const* form = entry.forms; *form != nullptr && !task_.exact; ++form) {
    if (fits(step, *entry.contract, type, **form)) return *form;
  }
  if (status_.ok()) refuse(Code::kNoForm, static_cast<uint32_t>(step.op()));
  return nullptr;
}

bool FormChoice::fits(const Step& step, const Contract& contract, DType type, const Form& form) {
  // Forms of other types or machines leave no reason: those that could run it do.
  CpuFeatures needs = form.needs;
  if (form.run == nullptr) needs |= kCodeElsewhere;
  if ((needs & ~task_.features) != 0 || !has(form.types, type)) return false;
  if (!reads_weights(form, step)) {
    return refuse(Code::kBadLayout, step.input_value(kWeightsInput));
  }
  // Forms ask only the alignment of outputs.
  uint32_t count = form.over_read_bytes != 0 ? step.input_count() : 0;
  if (form.alignment > 1) count = step.operand_count();
  for (uint32_t i = 0; i < count; ++i) {
    if (step.operand_words()[i] == kNoIndex) continue;
    const Code fault = fault_of(task_, step, form, i);
    if (fault != Code::kOk) return refuse(fault, step.operand_words()[i]);
  }
  const uint32_t scratch = step.has_scratch() ? step.elements(step.scratch_operand()).bytes : 0;
  if (form.scratch != nullptr && scratch_bytes(form.scratch(step), task_.threads) > scratch) {
    return refuse(Code::kBadScratch);
  }
  return (form.accepts == nullptr || form.accepts(step)) && operands_apart(step, contract, &form);
}

bool FormChoice::keeps_distance(const Step& step, const Form& form, uint32_t input,
                                uint32_t ahead) {
  const uint32_t of = input << 8 | form.number;
  if (known_ != nullptr && known_->of == of) {
    return ahead >= known_->bytes;
  }
  const uint64_t bytes = form.safe_distance(step, input);
  if (known_ != nullptr) {
    *known_ = {of, (bytes >> 32) != 0 ? UINT32_MAX : static_cast<uint32_t>(bytes)};
  }
  return ahead >= bytes;
}

// Roots that live on are disjoint already; this is for parts of the same one, and for those that
// yield at this step: it alone reads and writes then, and nothing of them is read later.
bool FormChoice::operands_apart(const Step& step, const Contract& contract, const Form* form) {
  const Bindings& bindings = *task_.bindings;
  const uint32_t* operands = step.operand_words();
  const uint32_t inputs = step.input_count();
  const uint32_t count = step.operand_count();
  for (uint32_t written = inputs; written < count; ++written) {
    const uint32_t out_index = operands[written];
    const ValueRecord& out = bindings.values[out_index];
    for (uint32_t k = 0; k < written; ++k) {
      const uint32_t index = operands[k];
      if (format::is_constant(index)) continue;  // or left out
      const ValueRecord& other = bindings.values[index];
      // The one starts inside the other; of the two distances one wraps round.
      const uint32_t ahead = other.offset - out.offset;
      if (other.place != out.place || (ahead >= out.bytes && uint32_t{0} - ahead >= other.bytes) ||
          other.bytes == 0 || out.bytes == 0) {
        continue;
      }
      bool good = false;
      if (k < inputs &&
          format::root_of(bindings.values, index) == format::root_of(bindings.values, out_index)) {
        good = parts_apart(bindings, index, out_index);
      } else if (written == inputs) {
        const bool in_place = (contract.layout.kind == LayoutClass::kElementwise &&
                               step.where() != format::Where::kTransfer) ||
                              (form != nullptr && takes_place(*form, k));
        good = (ahead == 0 && in_place &&
                same_elements(other, bindings.shapes + other.shape, out,
                              bindings.shapes + out.shape)) ||
               (form != nullptr && step.serial() && form->safe_distance != nullptr &&
                ahead < out.bytes && keeps_distance(step, *form, k, ahead));
      }
      if (!good) return refuse(Code::kOverlap, index);
    }
  }
  return true;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
