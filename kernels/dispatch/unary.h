// A dispatch of unary.comp: functions of one operand with up to two parameters.
#pragma once

#include "kernels/dispatch/builder.h"

namespace arenite {

// y = f(x) for the function that unary.comp knows by `op`: a member of family unary, or clip.
struct UnaryFunction {
  Op op;
  UnaryAttributes attributes;
};
Status emit_unary_function(const Step& step, const UnaryFunction& function,
                           const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
