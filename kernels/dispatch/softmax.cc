// Exponentials normalised to sum to one along the axes, through softmax.comp.
#include "kernels/dispatch/rows.h"
#include "kernels/dispatch/rules.h"
#include "ops/attributes.h"

namespace arenite {

bool supports_softmax(const Step& step) { return supports_rows(step); }

uint32_t choose_softmax(const Step& step, const Capabilities&) {
  return choose_rows(step, step.attributes<SoftmaxAttributes>().axes);
}

Status emit_softmax(const Step& step, const DispatchSink& sink) {
  return emit_rows(step, Shader::kSoftmax, step.attributes<SoftmaxAttributes>().axes, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
