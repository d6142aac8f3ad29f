// Adds products of 8-bit integers with Arm's DSP extension: sums of x times w over the taps and
// channels of a window, and their results. A matrix product is one with a window of one tap.
#pragma once

#include "portable_fallback/fast/integer_products.h"

namespace arenite {

inline constexpr uint32_t kDspPlaces = 4;  // that are computed at once, at most
// So many where `left` places of a line are left: two or three are computed one by one.
constexpr uint32_t dsp_places_at_once(uint32_t left) { return left >= kDspPlaces ? kDspPlaces : 1; }

// Weights are blocks of two columns, [columns / 2][k][2]; rows hold a word for two k,
// [k / 2][places], of the places at once.
//
// Computes places [place, end) of a line from left to right, some at once: reads all that they need
// of x, then writes all columns of them.
void add_products_dsp(const IntegerProducts& products, uint32_t line, uint32_t place, uint32_t end);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
