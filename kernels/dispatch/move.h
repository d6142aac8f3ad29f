// Copies of words through move.comp.
#pragma once

#include "kernels/dispatch/builder.h"

namespace arenite {

// Copies words along `loops` (operand 0 is read, operand 1 written), starting `x_first` and
// `y_first` elements after the operands' first ones.
struct CopyRange {
  Loops loops;
  uint32_t x_first = 0, y_first = 0;
};
Status emit_copy_range(const Operand& x, const Operand& y, const CopyRange& range,
                       const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
