// Adds products of 8-bit integers with Arm's DSP extension: those of places that read taps of their
// own, and their results.
#pragma once

#include "portable_fallback/fast/integer_taps.h"

namespace arenite {

// So many places are computed at once where `left` places of a line are left.
constexpr uint32_t dsp_taps_at_once(uint32_t left) { return left >= 4 ? 4 : left >= 2 ? 2 : 1; }

// Words of the rows of so many places that have `runs` runs of `length` products each. A single
// place has the rows of two.
constexpr uint32_t dsp_taps_words(uint32_t places, uint32_t runs, uint32_t length) {
  return (places >= 4 ? 4 : 2) * runs * ((length + 1) / 2);
}

// Weights are blocks of two columns, [columns / 2][k][2]; rows hold a word for two k of a run,
// [run][k / 2][places], of the places at once.
//
// Computes places [place, end) of a line from left to right, some at once: of each group in turn,
// reads all that they need of x, then writes the group's columns of them.
void add_taps_dsp(const IntegerTaps& taps, uint32_t place, uint32_t end);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
