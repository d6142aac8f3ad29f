// Compiles the loops of float products for Arm's MVE for floats.
#include "portable_fallback/fast/float_rows_mve_kernel.h"

#define ARENITE_MVE_FOURS
#include "portable_fallback/fast/float_rows_loops.h"

namespace arenite {

void add_float_rows_mve(const FloatRows& p, uint32_t line, uint32_t place, uint32_t end) {
  add_float_rows(p, line, place, end);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
