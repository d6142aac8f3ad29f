// Computes products by the loops of integer_products_dsp.h, and rounds results once.
#include "portable_fallback/fast/integer_once_dsp_kernel.h"

#include "portable_fallback/fast/integer_products_dsp.h"

namespace arenite {

[[gnu::noinline]] void finish_once_dsp(const IntegerResults& results, uint32_t output,
                                       uint32_t count, const int32_t* sums, uint32_t places,
                                       Dst<int8_t> y, size_t y_c, size_t y_w) {
  finish<true>(results, output, count, sums, places, {y, y_c, y_w});
}

void add_products_once_dsp(const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
  compute_line<true>(p, line, place, end);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
