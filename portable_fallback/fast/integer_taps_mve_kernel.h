// Adds products of 8-bit integers with Arm's MVE: those of places that read taps of their own, and
// their results. x may be uint8, and weights have a zero point.
#pragma once

#include "portable_fallback/fast/integer_taps.h"

namespace arenite {

// Places of a line that are computed at once, where so many are left.
constexpr uint32_t mve_taps_at_once(uint32_t left) { return left >= 2 ? 2 : 1; }

// Words of the rows of so many places of `products` products, as bytes.
constexpr uint32_t mve_taps_words(uint32_t places, uint32_t products) {
  return (mve_taps_at_once(places) * products + 3) / 4;
}

// Makes the biases of all columns of all groups for sums of x times w, instead of x less its zero
// point: `added` times the sum of the weights of the runs more.
void fold_taps_mve(const IntegerTaps& taps, int32_t* biases);

// Weights are rows, [columns][k]. The biases of `results`, which follow each other, are those of
// fold_taps_mve(), or the step's where that adds nothing.
//
// Computes places [place, end) of a line from left to right, some at once: of each group in turn,
// reads all that they need of x, then writes the group's columns of them.
void add_taps_mve(const IntegerTaps& taps, uint32_t place, uint32_t end);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
