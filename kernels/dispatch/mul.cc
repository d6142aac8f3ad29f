// Multiplies two tensors element by element, through binary.comp.
#include "kernels/dispatch/binary.h"
#include "kernels/dispatch/rules.h"

namespace arenite {

bool supports_mul(const Step& step) { return supports_binary(step); }

Status emit_mul(const Step& step, const DispatchSink& sink) {
  return emit_binary(step, BinaryOperation::kMul, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
