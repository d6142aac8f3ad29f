// The dispatch of binary.comp, for elementwise steps and for residuals of products.
#pragma once

#include "kernels/dispatch/builder.h"

namespace arenite {

// y = activation(a op b) of floats, all of the same dims.
Status emit_floats(Op op, const Operand& a, const Operand& b, const Operand& y,
                   const Activation& activation, const DispatchSink& sink);

// Adds the step's residual to the sums that an earlier dispatch of the step left in its output.
Status emit_residual(const Step& step, const Activation& activation, const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
