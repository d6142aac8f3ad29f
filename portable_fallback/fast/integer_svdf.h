// Describes a layer of low rank of integers to kernels, which compute some units of one sequence.
#pragma once

#include "core/access.h"
#include "portable_fallback/fast/integer_factor_dsp.h"

namespace arenite {

struct IntegerSvdf {
  const int8_t* features;                     // [feature, inputs], elements of a row are neighbors
  const std::byte* times;                     // [feature, memory] of the state's type, the same
  const int32_t* bias;                        // of each unit; null: none
  size_t feature_step, time_step, bias_step;  // elements between rows
  uint32_t inputs, memory, rank;
  bool wide;  // the state is int16 without a zero point, else int8
  int32_t x_zero_point, state_zero_point;
  FactorNumbers newest, result;   // of a product with x, and of a unit's sum
  int32_t zero_point, low, high;  // of y
};

// Units [first, first + count) of a sequence.
struct SvdfUnits {
  uint32_t first, count;
  uint32_t* numbers;  // memory for those of x
  Src<int8_t> x;
  size_t x_step;
  Src<std::byte> state;  // [features * memory], which follow each other
  Dst<std::byte> next;   // the same; may be the state
  Dst<int8_t> y;         // of unit 0
  size_t y_step;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
