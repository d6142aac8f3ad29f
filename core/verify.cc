// Verifies a variant wholly, its inputs and outputs here.
#include "core/verify.h"

#include "core/overlap.h"
#include "core/program_records.h"
#include "core/shape.h"
#include "core/verifier.h"

namespace arenite {

using format::ArenaKind;
using format::ValueKind;
using format::ValueRecord;

Verifier::Verifier(const VerifyTask& task)
    : task_(task),
      bindings_(*task.forms->bindings),
      arenas_(task.forms->arenas),
      steps_(task.program->steps().data() + task.variant->step_first),
      io_(task.program->io().data() + task.variant->io_first) {}

bool Verifier::is_input(uint32_t index) const {
  for (uint32_t i = 0; i < task_.method->input_count; ++i) {
    if (io_[i] == index) {
      return true;
    }
  }
  return false;
}

bool Verifier::written_before(uint32_t index, uint32_t step) const {
  const uint32_t whole = root(index);
  const uint32_t birth = value(whole).first_step;
  if (value(whole).last_step + 1u - value(whole).yields < step) {
    return false;
  }
  if (birth < step) {
    const Step writer(bindings_, steps_[birth], birth);
    for (uint32_t k = 0; k < writer.output_count(); ++k) {
      if (root(writer.output_value(k)) == whole) {
        return true;
      }
    }
  }
  return birth == 0 && is_input(whole);
}

bool Verifier::reachable(uint32_t operand, bool cpu) const {
  if (format::is_constant(operand)) {
    const auto& constant = bindings_.constants[format::constant_index(operand)];
    return bindings_.sections[constant.section] != nullptr;
  }
  const auto kind = static_cast<ArenaKind>(arenas_[value(operand).place].kind);
  return cpu ? kind != ArenaKind::kDevice : format::is_device_arena(kind);
}

bool Verifier::io() {
  const uint32_t inputs = task_.method->input_count;
  const uint32_t steps = task_.variant->step_count;
  for (uint32_t i = 0; i < inputs + task_.method->output_count; ++i) {
    const uint32_t index = io_[i];
    const ValueRecord& v = value(index);
    bool good = reachable(index, true) && is_row_major(tensor_of(bindings_, index));
    if (i < inputs) {
      good = good && kind_of(v) == ValueKind::kArena && v.first_step == 0;
      for (uint32_t k = 0; k < i; ++k) {
        good = good && io_[k] != index;
      }
    } else {
      good = good && v.last_step + 1 == (steps != 0 ? steps : 1) && written_before(index, steps);
    }
    if (!good) {
      return refuse(Code::kBadValue, index);
    }
  }
  return true;
}

Status verify_variant(const VerifyTask& task, std::span<uint32_t> proof, bool& planned) {
  Verifier verifier(task);
  if (!verifier.values() || !verifier.steps() || !verifier.io()) {
    return verifier.status();
  }
  planned = verifier.has_planned_forms();
  return verify_overlap(task.program->values_of(*task.variant), verifier.inputs(),
                        task.variant->arena_count, proof);
}

namespace {

const Form* choose_again(const FormTask& task, const OpEntry& entry, const Step& step) {
  return FormChoice(task).choose(entry, step);
}

}  // namespace

constexpr Verification kVerification = {
    .records = check_records, .variant = verify_variant, .choose = choose_again};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
