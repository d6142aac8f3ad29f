// Computes products of int8 by the loops of integer_products_mve.h.
#include "portable_fallback/fast/integer_products_mve_kernel.h"

#include "portable_fallback/fast/integer_products_mve.h"

namespace arenite {

void fold_products_mve(const IntegerProducts& p, uint32_t column, uint32_t count, int32_t* biases) {
  const uint32_t depth = depth_of(p);
  const size_t step = p.results.bias_step;
  const int32_t* bias = p.results.bias + column * step;
  const int8_t* w = weights_of(p, column, depth);
  for (; count != 0; --count, bias += step, w += depth) {
    const int32_t added = p.added == 0 ? 0 : mve::product(p.added, mve::sum_of_bytes(w, depth));
    *biases++ = mve::sum(*bias, added);
  }
}

void add_products_mve(const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end,
                      bool folds) {
  place = compute_places<2, false>(p, line, place, end, folds);
  compute_places<1, false>(p, line, place, end, folds);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
