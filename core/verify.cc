// Verifies a variant: each step reads and writes what it may, from where it runs; inputs and
// outputs are what the caller can fill and read.
#include "core/verify.h"

#include <cstddef>

#include "core/overlap.h"
#include "core/program_records.h"
#include "core/shape.h"

namespace arenite {
namespace {

using format::ArenaKind;
using format::ValueRecord;
using format::Where;

template <typename Record>
const uint32_t* words_of(const Record& record) {
  return static_cast<const uint32_t*>(static_cast<const void*>(&record));
}
static_assert(offsetof(format::StepRecord, operand_first) == 4 &&
              offsetof(format::StepRecord, attribute_first) == 12 &&
              offsetof(format::StepRecord, choice) == 20);

// The state that the parts share: one variant's tables, looked up once.
class Verifier : public Refusal {
 public:
  Verifier(const VerifyTask& task, std::span<uint32_t> proof)
      : task_(task),
        bindings_(*task.forms->bindings),
        steps_(task.program->steps().data() + task.variant->step_first) {
    if (proof.size() * sizeof(uint32_t) >= sizeof(KnownSteps)) {
      known_ = static_cast<KnownSteps*>(static_cast<void*>(proof.data()));
      for (KnownStep& step : known_->steps) step.index = kNoIndex;
      known_->next = 0;
    }
  }

  // Each returns false where it refuses; see verify_variant.
  bool steps();
  bool io();

  // Whether each CPU step has its planned form.
  bool has_planned_forms() const { return has_planned_forms_; }
  // Value indices of the method's inputs.
  std::span<const uint32_t> inputs() const { return {io_words(), task_.method->input_count}; }

 private:
  // Inputs, then outputs.
  const uint32_t* io_words() const { return task_.program->io().data() + task_.variant->io_first; }
  // The value whose bytes a value lies in: itself unless it is a view.
  const ValueRecord* root(const ValueRecord& v) const {
    return format::is_view(v) ? bindings_.values + v.below_or_root : &v;
  }
  // Whether the value is one of the method's inputs.
  bool is_input(const ValueRecord* value) const;
  bool written_before(const ValueRecord* whole, uint32_t step) const;
  bool reachable(const ValueRecord& value, bool cpu) const;

  bool step_holds(const Step& step);
  bool operand_holds(const Step& step, uint32_t i, uint32_t operand) const;
  bool output_holds(const Step& step, uint32_t i, const ValueRecord& v) const;
  bool gives_bytes_of_an_input(const Step& step, const ValueRecord& v) const;
  bool transfer_holds(const Step& step) const;
  bool operator_holds(const Step& step);
  bool is_like(const format::StepRecord& record, const format::StepRecord& known) const;
  bool holds_as_known(const Step& step) const;

  const VerifyTask& task_;
  const Bindings& bindings_;
  const format::StepRecord* steps_;
  const OpEntry* entry_ = nullptr;  // of the last operator looked for: the next is often the same
  bool has_planned_forms_ = true;

  // The last steps of the CPU that have their planned forms. Layers repeat, and neither a contract
  // nor a form asks where operands lie, but for alignment and overlap. They lie in the memory of
  // the proof to come, so that they take no stack; null where that has no room.
  struct KnownStep {
    uint32_t index;  // kNoIndex: none
    KnownDistance distance;
  };
  struct KnownSteps {
    KnownStep steps[4];
    uint32_t next;
  }* known_ = nullptr;

  bool form_holds(const Step& step, FormChoice& choice, KnownStep* known);
};

bool Verifier::is_input(const ValueRecord* value) const {
  for (const uint32_t input : inputs()) {
    if (bindings_.values + input == value) {
      return true;
    }
  }
  return false;
}

// Whether a root holds something when step `step` begins: it is an input, or the step it names as
// its first is an earlier one and writes it; and it has not yielded.
bool Verifier::written_before(const ValueRecord* whole, uint32_t step) const {
  if (whole->last_step + 1u - whole->yields < step) {
    return false;
  }
  if (whole->first_step < step) {
    const Step writer(bindings_, steps_[whole->first_step], whole->first_step);
    for (uint32_t k = 0; k < writer.output_count(); ++k) {
      if (root(bindings_.values[writer.output_value(k)]) == whole) {
        return true;
      }
    }
  }
  return whole->first_step == 0 && is_input(whole);
}

// Whether the value's storage can be reached, by the CPU or by a device.
bool Verifier::reachable(const ValueRecord& value, bool cpu) const {
  const auto kind = static_cast<ArenaKind>(task_.forms->arenas[value.place].kind);
  return cpu ? kind != ArenaKind::kDevice : format::is_device_arena(kind);
}

bool Verifier::operand_holds(const Step& step, uint32_t i, uint32_t operand) const {
  const bool view = step.where() == Where::kView;
  if (format::is_constant(operand)) {
    return view || bindings_.sections[bindings_.constants[format::constant_index(operand)].place] !=
                       nullptr;
  }
  const ValueRecord& v = bindings_.values[operand];
  if (!view && !reachable(v, step.where() == Where::kCpu)) {
    return false;
  }
  if (i >= step.input_count()) {
    return view ? gives_bytes_of_an_input(step, v) : output_holds(step, i, v);
  }
  return v.first_step <= step.index() && step.index() <= v.last_step &&
         written_before(root(v), step.index());
}

// A view step does nothing: what it gives is bytes of one of its inputs.
bool Verifier::gives_bytes_of_an_input(const Step& step, const ValueRecord& v) const {
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    const uint32_t operand = step.input_value(i);
    if (!format::is_constant(operand) && root(bindings_.values[operand]) == root(v)) {
      return true;
    }
  }
  return false;
}

// Operand i, behind the inputs. An output may be a view: a part of a root that several steps fill.
bool Verifier::output_holds(const Step& step, uint32_t i, const ValueRecord& v) const {
  const bool scratch = i >= step.input_count() + step.output_count();
  const ValueRecord* whole = root(v);
  return v.first_step == step.index() && !(whole->first_step == 0 && is_input(whole)) &&
         !(scratch && (format::is_view(v) || v.last_step != step.index()));
}

// Same elements in the same places: the device copies bytes. The contract of copy has seen one
// input and one output of the same type and dims.
bool Verifier::transfer_holds(const Step& step) const {
  const format::ElementsRecord& x = step.elements(0);
  const format::ElementsRecord& y = step.elements(1);
  return step.op() == Op::kCopy && !format::is_constant(step.input_value(0)) &&
         x.bytes == y.bytes &&
         same_elements(x, bindings_.shapes + x.shape, y, bindings_.shapes + y.shape);
}

// Takes the planned form or another, and keeps the step as a known one where it has the planned
// one.
bool Verifier::form_holds(const Step& step, FormChoice& choice, KnownStep* known) {
  const Form* form = choice.choose(*entry_, step);
  if (form == nullptr) {
    return false;
  }
  if (form->number != step.record().form) {
    has_planned_forms_ = false;
  } else if (form->alignment <= 1 && known != nullptr) {
    known->index = step.index();
  }
  return true;
}

// Whether a step differs from a known one only in where its operands lie. Writers store equal
// shapes and equal attributes once.
bool Verifier::is_like(const format::StepRecord& record, const format::StepRecord& known) const {
  const uint32_t* a = words_of(record);
  const uint32_t* b = words_of(known);
  // All words but operand_first, and first what differs most.
  if (record.attribute_first != known.attribute_first || a[0] != b[0] || a[2] != b[2] ||
      a[4] != b[4] || record.choice != known.choice) {
    return false;
  }
  a = bindings_.operands + record.operand_first;
  b = bindings_.operands + known.operand_first;
  const uint32_t count = uint32_t{record.input_count} + record.output_count + record.scratch_count;
  for (const uint32_t* const end = a + count; a != end; ++a, ++b) {
    if (*a == *b) {
      continue;
    }
    if (*a == kNoIndex || *b == kNoIndex) {
      return false;
    }
    if (!same_but_place(elements_of(bindings_, *a), elements_of(bindings_, *b))) {
      return false;
    }
  }
  return true;
}

// Not a part of verify_variant's frame either.
[[gnu::noinline]] bool Verifier::holds_as_known(const Step& step) const {
  if (known_ == nullptr) {
    return false;
  }
  for (KnownStep& known : known_->steps) {
    if (known.index != kNoIndex && is_like(step.record(), steps_[known.index])) {
      return FormChoice(*task_.forms, &known.distance)
          .operands_apart(step, *entry_->contract, find_form(*entry_, step.record().form));
    }
  }
  return false;
}

bool Verifier::operator_holds(const Step& step) {
  if (entry_ == nullptr || entry_->op != step.op()) {
    entry_ = find_op(task_.forms->ops, step.op());
  }
  if (entry_ == nullptr) {
    return refuse(Code::kNoForm, static_cast<uint32_t>(step.op()));
  }
  if (holds_as_known(step)) {
    return true;
  }
  if (const Status status = check_contract(step, *entry_->contract); !status.ok()) {
    return refuse(status);
  }
  if (step.where() == Where::kTransfer && !transfer_holds(step)) {
    return refuse(Code::kBadStep);
  }
  KnownStep* known = nullptr;
  if (known_ != nullptr) {
    known = &known_->steps[known_->next++ % 4];
    *known = {kNoIndex, {kNoIndex, 0}};
  }
  FormChoice choice(*task_.forms, known != nullptr ? &known->distance : nullptr);
  const bool good = step.where() == Where::kCpu
                        ? form_holds(step, choice, known)
                        : choice.operands_apart(step, *entry_->contract, nullptr);
  return good || refuse(choice.status());
}

bool Verifier::step_holds(const Step& step) {
  const bool on_device = step.where() == Where::kVulkan || step.where() == Where::kTransfer;
  // On a device it writes there, so that there is one to run it.
  if (step.output_count() == 0 && on_device) {
    return refuse(Code::kBadStep);
  }
  const uint32_t* operands = step.operand_words();
  const uint32_t count = step.operand_count();
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t operand = operands[i];
    if (operand != kNoIndex && !operand_holds(step, i, operand)) {
      return refuse(Code::kBadStep, operand);
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

// Not a part of verify_variant's frame, below which all of load's stack lies.
[[gnu::noinline]] bool Verifier::io() {
  const uint32_t inputs = task_.method->input_count;
  const uint32_t steps = task_.variant->step_count;
  const uint32_t* const io = io_words();
  for (uint32_t i = 0; i < inputs + task_.method->output_count; ++i) {
    const uint32_t index = io[i];
    const ValueRecord& v = bindings_.values[index];
    bool good = reachable(v, true) && is_row_major(tensor_of(bindings_, index));
    if (i < inputs) {
      good = good && !format::is_view(v) && v.first_step == 0;
      for (uint32_t k = 0; k < i; ++k) {
        good = good && io[k] != index;
      }
    } else {
      good = good && v.last_step + 1 == (steps != 0 ? steps : 1) && written_before(root(v), steps);
    }
    if (!good) {
      return refuse(Code::kBadValue, index);
    }
  }
  return true;
}

const Form* choose_again(const FormTask& task, const OpEntry& entry, const Step& step) {
  return FormChoice(task).choose(entry, step);
}

}  // namespace

Status verify_variant(const VerifyTask& task, std::span<uint32_t> proof, bool& planned) {
  Verifier verifier(task, proof);
  if (!verifier.steps() || !verifier.io()) {
    return verifier.status();
  }
  planned = verifier.has_planned_forms();
  return verify_overlap(task.program->values_of(*task.variant), verifier.inputs(),
                        task.variant->arena_count, proof);
}

constexpr Verification kVerification = {
    .records = check_records, .variant = verify_variant, .choose = choose_again};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
