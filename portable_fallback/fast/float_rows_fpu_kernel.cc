// Compiles the loops of float products for a scalar FPU.
#include "portable_fallback/fast/float_rows_fpu_kernel.h"

#include "portable_fallback/fast/float_rows_loops.h"

namespace arenite {

void add_float_rows_fpu(const FloatRows& p, uint32_t line, uint32_t place, uint32_t end) {
  add_float_rows(p, line, place, end);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
