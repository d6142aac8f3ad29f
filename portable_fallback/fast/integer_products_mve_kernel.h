// Adds products of 8-bit integers with Arm's MVE: x is int8, and weights are rows, [columns][k].
//
// Sums of x less its zero point times w are sums of x times w, and a bias of their own: `added`
// times the sum of a column's weights more.
#pragma once

#include "portable_fallback/fast/integer_products.h"

namespace arenite {

// Places of a line that are computed at once, where so many are left.
constexpr uint32_t mve_places_at_once(uint32_t left) { return left >= 2 ? 2 : 1; }

// Words of the rows of so many places of `depth` products, as bytes.
constexpr uint32_t mve_row_words(uint32_t places, uint32_t depth) {
  return (mve_places_at_once(places) * depth + 3) / 4;
}

// Such biases of `count` columns from one on.
void fold_products_mve(const IntegerProducts& products, uint32_t column, uint32_t count,
                       int32_t* biases);

// Computes places [place, end) of a line from left to right, some at once: copies all that they
// need of x to the rows, then writes all columns of them. With `folds` the biases are those of the
// step, else those that fold_products_mve() makes of all columns, which follow each other.
void add_products_mve(const IntegerProducts& products, uint32_t line, uint32_t place, uint32_t end,
                      bool folds);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
