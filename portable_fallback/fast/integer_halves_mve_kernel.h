// Adds products of int8 by weights of 4 bits, two a byte, with Arm's MVE: weights are rows,
// [columns][k / 2][2].
#pragma once

#include "portable_fallback/fast/integer_products_mve_kernel.h"

namespace arenite {

// Words of the rows of so many places of `depth` products: whole groups of 32 numbers, and one that
// is read behind the last where that is not whole.
constexpr uint32_t halves_mve_row_words(uint32_t places, uint32_t depth) {
  constexpr uint32_t kGroup = 32, kGroupWords = kGroup / sizeof(uint32_t);
  const uint32_t groups = (depth + kGroup - 1) / kGroup;
  return (mve_places_at_once(places) * groups + (depth % kGroup != 0 ? 1 : 0)) * kGroupWords;
}

struct HalvesWays {
  bool folds;        // as add_products_mve() has it
  bool shifts_left;  // shifts may be above 0
};

// As fold_products_mve() and add_products_mve(), of such products. They are below 2^27 in
// magnitude.
void fold_halves_mve(const IntegerProducts& products, uint32_t column, uint32_t count,
                     int32_t* biases);
void add_halves_mve(const IntegerProducts& products, uint32_t line, uint32_t place, uint32_t end,
                    const HalvesWays& ways);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
