// Adds numbers of 8 bits of two scales, element by element, with Arm's DSP extension.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

// Elements of an operand of a row that are read before any of them is written, where all operands'
// are neighbors and the other operand is halved_operand_dsp().
inline constexpr uint32_t kDspSumsAtOnce = 32;

// A factor of at most 1: multiplier * 2^(-right - 31), rounded twice as kTfliteDouble has it.
struct DspFactor {
  int32_t multiplier;
  uint32_t right;  // at most 31
  // 2^(right - 1) and -1, or 0 where nothing is divided: halves go away from zero, up if negative
  // numbers are one lower.
  int32_t half, lower;
};

struct DspSums {
  uint32_t flip;         // 0x80 where elements of x are uint8: makes them int8
  int32_t added[2];      // to each int8: what its zero point is below 0
  uint32_t left;         // numbers times 2^left and sums of two of them are below 2^29
  DspFactor factors[2];  // of the numbers
  bool subtracts;        // the second number
  bool squares;          // the difference, which is below 2^15
  DspFactor sum;         // of the sum
  int32_t zero_point, low, high;
};

struct DspSumRow {
  Src<std::byte> inputs[2];
  Dst<std::byte> y;
  ptrdiff_t steps[2], y_step;  // bytes
  uint32_t count;
};

// The operand that add_sums_dsp() need not scale, for it is halved, or 2. Where there is one, it
// computes neighbors in blocks.
uint32_t halved_operand_dsp(const DspSums& sums);
void add_sums_dsp(const DspSums& sums, const DspSumRow& row);
// The same of elements at any distance, one after the other.
void add_sums_apart_dsp(const DspSums& sums, const DspSumRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
