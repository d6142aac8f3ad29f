// Adds products of 16-bit activations and 8-bit weights with Arm's MVE: sums of x times w over the
// taps and channels of a window, and their results. A matrix product is one with a window of one
// tap.
#pragma once

#include "portable_fallback/fast/int16_products.h"

namespace arenite {

// Places that are computed at once where `left` places of a line are left.
constexpr uint32_t int16_mve_places_at_once(uint32_t left) { return left >= 2 ? 2 : 1; }
// Columns of a single place that are computed at once.
inline constexpr uint32_t kInt16MveColumns = 24;

// Words of the rows of so many places of a line.
constexpr uint32_t int16_mve_row_words(uint32_t places, uint32_t depth) {
  return (int16_mve_places_at_once(places) * depth + 1) / 2;
}

// Weights are rows, [columns][k]; rows hold numbers of 16 bits, [places][k], of the places at once.
//
// Computes places [place, end) of a line from left to right, some at once: reads all that they need
// of x, then writes all columns of them. Of a place that is read in place some columns are written
// before others read it.
void add_int16_products_mve(const Int16Products& products, uint32_t line, uint32_t place,
                            uint32_t end);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
