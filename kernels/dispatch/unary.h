// Steps that map one operand to another element by element: clip, sigmoid, hard_sigmoid, copy.
#pragma once

#include "core/attributes.h"
#include "kernels/dispatch/builder.h"

namespace arenite {

// float32 x and y of the same dims.
bool supports_unary(const Step& step);
Status emit_unary(const Step& step, const Activation& function, const DispatchSink& sink);

// The dims and strides (operand 0: x, operand 1: y) of a map from x to y.
Loops map_loops(const Operand& x, const Operand& y);

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
