// Mean of each window, through pool.comp.
#include "kernels/dispatch/pool.h"
#include "kernels/dispatch/rules.h"

namespace arenite {

bool supports_average_pool(const Step& step) { return supports_pool(step); }

Status emit_average_pool(const Step& step, const DispatchSink& sink) {
  return emit_pool(step, true, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
