// Multiplies places of int8 by the weights of a single output with Arm's DSP extension: each place
// is a row of neighbors that is read where it lies.
#pragma once

#include "portable_fallback/fast/integer_dot.h"
#include "portable_fallback/fast/integer_products.h"

namespace arenite {

// Places that are computed at once where `left` places of a line are left.
constexpr uint32_t column_dsp_places_at_once(uint32_t left) { return left < 16 ? left : 16; }

// Words of what all places meet, the rows of kernels below: the bias with what x's zero point adds,
// then the weights less their zero point.
constexpr uint32_t column_dsp_words(uint32_t depth) { return 1 + dot_words(depth); }
void widen_column_dsp(const IntegerProducts& products);

// Computes places [place, end) of a line from left to right, some at once: reads them, then writes
// their results. Windows have one tap, and channels are neighbors.
void add_column_dsp(const IntegerProducts& products, uint32_t line, uint32_t place, uint32_t end);
// The same of results that are rounded once.
void add_column_once_dsp(const IntegerProducts& products, uint32_t line, uint32_t place,
                         uint32_t end);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
