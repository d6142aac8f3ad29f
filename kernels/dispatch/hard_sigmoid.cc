// A line clipped to [0, 1], through unary.comp.
#include "kernels/dispatch/rules.h"
#include "kernels/dispatch/unary.h"

namespace arenite {

bool supports_hard_sigmoid(const Step& step) { return supports_unary(step); }

Status emit_hard_sigmoid(const Step& step, const DispatchSink& sink) {
  const auto attributes = step.attributes<HardSigmoidAttributes>();
  return emit_unary(step, {ActivationKind::kHardSigmoid, attributes.alpha, attributes.beta}, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
