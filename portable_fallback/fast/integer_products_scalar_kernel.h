// Adds products of 8-bit integers one at a time, on CPUs that multiply no vectors: sums of x times
// w over the taps and channels of a window, and their results. A matrix product is one with a
// window of one tap.
#pragma once

#include "portable_fallback/fast/integer_products.h"

namespace arenite {

// Places that are computed at once where `left` places of a line are left.
constexpr uint32_t scalar_places_at_once(uint32_t left) { return left >= 4 ? 4 : 1; }

// Weights are rows, [columns][k]; the memory holds [k][places] numbers of 16 bits of the places at
// once.
//
// Computes places [place, end) of a line from left to right, some at once: reads all that they need
// of x, then writes all columns of them.
void add_products_scalar(const IntegerProducts& products, uint32_t line, uint32_t place,
                         uint32_t end);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
