// Describes rows of 16-bit integers, whose zero points are 0, to kernels that add, multiply or
// rescale them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"
#include "portable_fallback/fast/integer_factor_dsp.h"
#include "portable_fallback/fast/integer_sums_dsp_kernel.h"

namespace arenite {

// Elements of a row whose sums are made at once, where all operands' are neighbors: they are read,
// then written.
inline constexpr uint32_t kInt16SumsAtOnce = 32;

// (a * 2^left * first +- b * 2^left * second) * whole. Factors of the numbers are at most 1/2, so
// that twice the sum fits 32 bits.
struct Int16SumFactors {
  uint32_t left;  // at most 15
  DspFactor factors[2];
  bool subtracts;  // the second number
  DspFactor whole;
  int32_t zero_point, low, high;  // of y
};

struct Int16Factor {
  FactorNumbers factor;
  int32_t zero_point, low, high;  // of y
};

struct Int16PairRow {
  Src<int16_t> inputs[2];
  Dst<int16_t> y;
  ptrdiff_t steps[2], y_step;  // elements
  uint32_t count;

  bool are_neighbors() const { return steps[0] == 1 && steps[1] == 1 && y_step == 1; }
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
