// Copies of elements through move.comp.
#pragma once

#include "kernels/dispatch/builder.h"

namespace arenite {

// Copies x to y, of the same dims and elements of the same size.
Status emit_copy(const Operand& x, const Operand& y, const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
