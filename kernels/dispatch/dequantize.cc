// Integers to floats through integer.comp.
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/rules.h"

namespace arenite {

bool supports_dequantize(const Step&) { return true; }

Status emit_dequantize(const Step& step, const DispatchSink& sink) {
  IntegerWork work;
  work.a = 1;
  if (step.has_input(2)) work.b = 2;
  return emit_integers(step, work, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
