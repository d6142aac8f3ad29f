// Adds products of 8-bit integers one at a time, on CPUs that multiply no vectors: those of places
// that read taps of their own, and their results.
#pragma once

#include "portable_fallback/fast/integer_taps.h"

namespace arenite {

// Places that are computed at once where `left` places of a line are left.
constexpr uint32_t scalar_taps_at_once(uint32_t left) { return left >= 4 ? 4 : 1; }

// Weights are rows, [columns][k]; the memory holds [k][places] numbers of 16 bits of the runs and
// the places at once.
//
// Computes places [place, end) of a line from left to right, some at once: of each group in turn,
// reads all that they need of x, then writes the group's columns of them.
void add_taps_scalar(const IntegerTaps& taps, uint32_t place, uint32_t end);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
