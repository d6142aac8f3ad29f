// Copies each input to its place along the axis, through copy.comp.
#include "core/attributes.h"
#include "kernels/dispatch/rules.h"
#include "kernels/dispatch/unary.h"

namespace arenite {

bool supports_concat(const Step& step) {
  if (step.input_count() > kMaxStepDispatches) return false;
  const Operand y = output_operand(step, 0);
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    const Operand x = input_operand(step, i);
    if (!is_word(x) || x.dtype != y.dtype || !is_strided(x)) return false;
  }
  return is_strided(y);
}

Status emit_concat(const Step& step, const DispatchSink& sink) {
  const Operand y = output_operand(step, 0);
  const uint32_t axis = step.attributes<ConcatAttributes>().axis;
  uint32_t y_first = 0;
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    const Operand x = input_operand(step, i);
    if (x.count() == 0) continue;
    CopyRange range;
    for (uint32_t d = 0; d < y.rank; ++d) range.loops.add(x.dims[d], x.strides[d], y.strides[d]);
    range.y_first = y_first;
    ARENITE_TRY(emit_copy_range(x, y, range, sink));
    y_first += x.dims[axis] * y.strides[axis];
  }
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
