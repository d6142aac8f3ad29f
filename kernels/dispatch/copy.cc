// Moves a tensor into another with the same dims and other strides, through copy.comp.
#include "kernels/dispatch/rules.h"
#include "kernels/dispatch/unary.h"

namespace arenite {

bool supports_copy(const Step& step) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  return is_word(x) && x.dtype == y.dtype && is_strided(x) && is_strided(y);
}

Status emit_copy(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  return emit_copy_range(x, y, {map_loops(x, y)}, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
