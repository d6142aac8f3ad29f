// Computes products by the loops of integer_halves_dsp.h.
#include "portable_fallback/fast/integer_halves_dsp_kernel.h"

#include "portable_fallback/fast/integer_halves_dsp.h"

namespace arenite {

void add_halves_dsp(const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
  compute_line_of_halves<false>(p, line, place, end);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
