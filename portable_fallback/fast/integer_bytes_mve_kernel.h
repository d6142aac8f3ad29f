// Adds products of 8-bit integers with Arm's MVE: x may be uint8, and weights have a zero point.
#pragma once

#include "portable_fallback/fast/integer_products_mve_kernel.h"

namespace arenite {

// As add_products_mve(), of such products; the biases are those of fold_products_mve() too.
void add_byte_products_mve(const IntegerProducts& products, uint32_t line, uint32_t place,
                           uint32_t end, bool folds);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
