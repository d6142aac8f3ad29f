// Largest element of each window, through pool.comp; indices (a second output) are left to the CPU.
#include "kernels/dispatch/pool.h"
#include "kernels/dispatch/rules.h"

namespace arenite {

bool supports_max_pool(const Step& step) { return supports_pool(step); }

Status emit_max_pool(const Step& step, const DispatchSink& sink) {
  return emit_pool(step, false, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
