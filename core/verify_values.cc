// Checks what each value of a variant says about its storage and its life.
#include "core/shape.h"
#include "core/verify.h"

namespace arenite {
namespace {

using format::ValueKind;
using format::ValueRecord;

// Whether the bytes a value owns hold every element it can address.
bool holds_elements(const Tensor& tensor) {
  if (!element_count_fits(tensor)) {
    return false;
  }
  if (tensor.layout == Layout::kStrided) {
    return extent_bytes(tensor) <= tensor.bytes;
  }
  // Panels are padded to whole panels; how many depends on which dims are outputs, which only the
  // op's check knows. Here: a matrix at least, and no fewer bytes than elements.
  return tensor.rank >= 2 &&
         element_count(tensor) * element_bytes(tensor.dtype) <= uint64_t{tensor.bytes};
}

bool inside(const ValueRecord& view, const ValueRecord& root) {
  return view.offset >= root.offset &&
         uint64_t{view.offset} + view.bytes <= uint64_t{root.offset} + root.bytes &&
         view.first_step >= root.first_step && view.last_step <= root.last_step;
}

Status verify_value(const VerifyTask& task, uint32_t index) {
  const ValueRecord& v = task.bindings->values[index];
  const bool constant = v.kind == static_cast<uint8_t>(ValueKind::kConstant);
  // Elements are of 1, 2, 4 or 8 bytes.
  const uint32_t odd = element_bytes(static_cast<DType>(v.dtype)) - 1;
  uint32_t storage_bytes = 0;
  bool aligned = false;
  if (constant) {
    const format::ConstantRecord& c = task.bindings->constants[v.place];
    storage_bytes = c.bytes;
    aligned = ((c.offset + v.offset) & odd) == 0;
  } else {
    const format::ArenaRecord& arena = task.program->arenas_of(*task.variant)[v.place];
    storage_bytes = arena.bytes;
    aligned = ((arena.alignment | v.offset) & odd) == 0;
  }
  if (uint64_t{v.offset} + v.bytes > storage_bytes) {
    return error(Code::kBadRange, index);
  }
  if (!aligned) {
    return error(Code::kBadAlignment, index);
  }
  const Tensor tensor = tensor_of(*task.bindings, index);
  const uint32_t steps = task.variant->step_count;
  const bool lives = v.first_step <= v.last_step && v.last_step < (steps != 0 ? steps : 1);
  if (!holds_elements(tensor) || !(constant || lives) ||
      (v.kind == static_cast<uint8_t>(ValueKind::kView) &&
       !inside(v, task.bindings->values[v.below_or_root]))) {
    return error(Code::kBadValue, index);
  }
  return ok_status();
}

}  // namespace

Status verify_values(const VerifyTask& task) {
  for (uint32_t i = 0; i < task.variant->value_count; ++i) {
    ARENITE_TRY(verify_value(task, i));
  }
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
