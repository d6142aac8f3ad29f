// Adds products of 16-bit activations and 8-bit weights with Arm's DSP extension: sums of x times w
// over the taps and channels of a window, and their results. A matrix product is one with a window
// of one tap.
#pragma once

#include "portable_fallback/fast/int16_products.h"

namespace arenite {

// Places that are computed at once where `left` places of a line are left.
constexpr uint32_t int16_dsp_places_at_once(uint32_t left) {
  return left >= 4 ? 4 : left == 3 ? 3 : 1;
}
// Columns of a single place that are computed at once.
inline constexpr uint32_t kInt16DspColumns = 4;

// Words of the rows of so many places of a line.
constexpr uint32_t int16_dsp_row_words(uint32_t places, uint32_t depth) {
  return (places >= 3 ? 4 : 1) * ((depth + 1) / 2);
}

// Weights are blocks of two columns, [columns / 2][k][2]; rows hold a word for two k,
// [k / 2][places], of the places at once.
//
// Computes places [place, end) of a line from left to right, some at once: reads all that they need
// of x, then writes all columns of them. Of a place that is read in place some columns are written
// before others read it.
void add_int16_products_dsp(const Int16Products& products, uint32_t line, uint32_t place,
                            uint32_t end);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
