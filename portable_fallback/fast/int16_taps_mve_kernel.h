// Adds products of 16-bit activations and 8-bit weights with Arm's MVE: those of places that read
// taps of their own, and their results.
#pragma once

#include "portable_fallback/fast/int16_products.h"
#include "portable_fallback/fast/integer_taps.h"

namespace arenite {

// Places of a line that are computed at once, where so many are left.
constexpr uint32_t int16_mve_taps_at_once(uint32_t left) { return left >= 2 ? 2 : 1; }

// Words of the rows of so many places of `runs` runs: each begins at a vector of eight.
constexpr uint32_t int16_mve_taps_words(uint32_t places, uint32_t runs, uint32_t length) {
  return int16_mve_taps_at_once(places) * runs * ((length + 7) / 8 * 4);
}

// Weights are rows, [columns][k]; rows hold numbers of 16 bits, [places][run][k]. x and y hold
// int16, and zero points are 0.
//
// Computes places [place, end) of a line from left to right, some at once: of each group in turn,
// reads all that they need of x, then writes the group's columns of them.
void add_int16_taps_mve(const IntegerTaps& taps, const Int16Results& results, uint32_t place,
                        uint32_t end);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
