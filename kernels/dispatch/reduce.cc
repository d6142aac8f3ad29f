// Family reduce: rows along the axes, through reduce.comp.
#include "kernels/dispatch/rows.h"
#include "kernels/dispatch/rules.h"
#include "ops/attributes.h"

namespace arenite {

bool supports_reduce(const Step& step) { return supports_rows(step); }

uint32_t choose_reduce(const Step& step, const Capabilities&) {
  return choose_rows(step, step.attributes<ReduceAttributes>().axes);
}

Status emit_reduce(const Step& step, const DispatchSink& sink) {
  return emit_rows(step, Shader::kReduce, step.attributes<ReduceAttributes>().axes, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
