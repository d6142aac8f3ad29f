// The logistic function of each element, through unary.comp.
#include "kernels/dispatch/rules.h"
#include "kernels/dispatch/unary.h"

namespace arenite {

bool supports_sigmoid(const Step& step) { return supports_unary(step); }

Status emit_sigmoid(const Step& step, const DispatchSink& sink) {
  return emit_unary(step, {ActivationKind::kSigmoid, 0.0f, 0.0f}, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
