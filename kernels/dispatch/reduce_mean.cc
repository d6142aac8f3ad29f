// Means along the axes, through reduce_mean.comp.
#include "core/attributes.h"
#include "kernels/dispatch/rows.h"
#include "kernels/dispatch/rules.h"

namespace arenite {

bool supports_reduce_mean(const Step& step) { return supports_rows(step); }

Status emit_reduce_mean(const Step& step, const DispatchSink& sink) {
  return emit_rows(step, Shader::kReduceMean, step.attributes<ReduceMeanAttributes>().axes, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
