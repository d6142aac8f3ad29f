// Adds products of 16-bit activations and 8-bit weights with Arm's DSP extension: those of places
// that read taps of their own, and their results.
#pragma once

#include "portable_fallback/fast/int16_products.h"
#include "portable_fallback/fast/integer_taps.h"

namespace arenite {

// So many places are computed at once where `left` places of a line are left.
constexpr uint32_t int16_dsp_taps_at_once(uint32_t left) { return left < 4 ? left : 4; }

// Words of the rows of places that have `runs` runs of `length` products each: always of four.
constexpr uint32_t int16_dsp_taps_words(uint32_t runs, uint32_t length) {
  return 4 * runs * ((length + 1) / 2);
}

// Weights are blocks of two columns, [columns / 2][k][2]; rows hold a word for two k of a run,
// [run][k / 2][4], of up to four places. x and y hold int16, and zero points are 0.
//
// Computes places [place, end) of a line from left to right, some at once: of each group in turn,
// reads all that they need of x, then writes the group's columns of them.
void add_int16_taps_dsp(const IntegerTaps& taps, const Int16Results& results, uint32_t place,
                        uint32_t end);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
