// Computes products by the loops of integer_products_dsp.h.
#include "portable_fallback/fast/integer_products_dsp_kernel.h"

#include "portable_fallback/fast/for_size.h"
#include "portable_fallback/fast/integer_products_dsp.h"

namespace arenite {

void add_products_dsp(const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
  compute_line<false>(p, line, place, end);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
