// Makes int8 of the rows of uint8 by the loops of integer_products_mve.h, and adds to all sums of a
// place what the zero point of the weights adds.
#include "portable_fallback/fast/integer_bytes_mve_kernel.h"

#include "portable_fallback/fast/integer_products_mve.h"

namespace arenite {

void add_byte_products_mve(const IntegerProducts& products, uint32_t line, uint32_t place,
                           uint32_t end, bool folds) {
  IntegerProducts p = products;
  // The numbers beside x are written before the bits of rows are turned.
  if (p.flip != 0) p.outside += 128;
  place = compute_places<2, true>(p, line, place, end, folds);
  compute_places<1, true>(p, line, place, end, folds);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
