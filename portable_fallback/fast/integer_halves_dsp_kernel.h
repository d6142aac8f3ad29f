// Adds products of 8-bit integers by weights of 4 bits, two a byte, with Arm's DSP extension: sums
// of x times w over the taps and channels of a window, and their results. A matrix product is one
// with a window of one tap.
#pragma once

#include "portable_fallback/fast/integer_products_dsp_kernel.h"

namespace arenite {

// The words of w that a place's k take, each of four k; rows hold two words for each.
constexpr uint32_t words_of_halves(uint32_t depth) { return (depth + 3) / 4; }

// Weights are blocks of two columns by two k, [columns / 2][k / 2][2][2]; rows hold pairs of
// numbers, [k / 4][k % 2 = 1, 0][places]. Products of any sum are below 2^27 in magnitude, and of
// small outputs their sums with the bias (IntegerResults::small_bias_end).
//
// Computes as add_products_dsp() does.
void add_halves_dsp(const IntegerProducts& products, uint32_t line, uint32_t place, uint32_t end);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
