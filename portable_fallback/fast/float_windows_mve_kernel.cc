// Compiles the loops of the windows of depthwise convolutions for Arm's MVE for floats.
#include "portable_fallback/fast/float_windows_mve_kernel.h"

#define ARENITE_MVE_FOURS
#include "portable_fallback/fast/float_windows_loops.h"

namespace arenite {

void add_float_windows_mve(const FloatRows& p, uint32_t line, uint32_t place, uint32_t end) {
  add_float_windows(p, line, place, end);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
