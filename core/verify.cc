// Verifies a variant wholly, and its inputs and outputs.
#include "core/verify.h"

#include "core/overlap.h"
#include "core/shape.h"
#include "core/verify_lookup.h"

namespace arenite {
namespace {

using format::StepRecord;
using format::ValueKind;
using format::ValueRecord;

bool cpu_reachable(const VerifyTask& task, const ValueRecord& v) {
  if (kind_of(v) == ValueKind::kConstant) {
    return task.bindings->sections[task.bindings->constants[v.place].section] != nullptr;
  }
  return task.program->arenas_of(*task.variant)[v.place].kind !=
         static_cast<uint32_t>(format::ArenaKind::kDevice);
}

}  // namespace

bool is_input(const VerifyTask& task, uint32_t value) {
  for (const uint32_t input : task.program->inputs_of(*task.method, *task.variant)) {
    if (input == value) {
      return true;
    }
  }
  return false;
}

bool written_before(const VerifyTask& task, uint32_t root, uint32_t index) {
  const ValueRecord* values = task.bindings->values;
  const uint32_t birth = values[root].first_step;
  if (birth < index) {
    const StepRecord& writer = task.program->steps_of(*task.variant)[birth];
    const uint32_t* outputs = task.bindings->operands + writer.operand_first + writer.input_count;
    for (uint32_t k = 0; k < writer.output_count; ++k) {
      if (root_of(values, outputs[k]) == root) {
        return true;
      }
    }
  }
  return birth == 0 && is_input(task, root);
}

Status verify_io(const VerifyTask& task) {
  const auto inputs = task.program->inputs_of(*task.method, *task.variant);
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    const ValueRecord& v = task.bindings->values[inputs[i]];
    bool good = kind_of(v) == ValueKind::kArena && v.first_step == 0 && cpu_reachable(task, v) &&
                is_row_major(tensor_of(*task.bindings, inputs[i]));
    for (uint32_t k = 0; k < i; ++k) {
      good = good && inputs[k] != inputs[i];
    }
    if (!good) {
      return error(Code::kBadValue, inputs[i]);
    }
  }
  const uint32_t steps = task.variant->step_count;
  for (const uint32_t index : task.program->outputs_of(*task.method, *task.variant)) {
    const ValueRecord& v = task.bindings->values[index];
    const bool lasts = kind_of(v) == ValueKind::kConstant ||
                       (v.last_step == (steps != 0 ? steps - 1 : 0) &&
                        written_before(task, root_of(task.bindings->values, index), steps));
    if (!lasts || !cpu_reachable(task, v) || !is_row_major(tensor_of(*task.bindings, index))) {
      return error(Code::kBadValue, index);
    }
  }
  return ok_status();
}

Status verify_variant(const VerifyTask& task, std::span<uint32_t> proof) {
  ARENITE_TRY(verify_values(task));
  ARENITE_TRY(verify_steps(task));
  ARENITE_TRY(verify_io(task));
  return verify_overlap(task.program->values_of(*task.variant), task.variant->arena_count, proof);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
