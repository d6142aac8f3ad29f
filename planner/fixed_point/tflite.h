// The numbers with which TensorFlow Lite's kernels compute on integers, made of scales and zero
// points exactly as its reference kernels for microcontrollers make them and, of uint8, LiteRT's:
// which steps are rounded to float32 decides the last bits of multipliers, and with them single
// results.
#pragma once

#include <cstdint>
#include <optional>

#include "planner/fixed_point/scaled.h"

namespace arenite::planner::tflite {

// Multipliers for sums of products. The first is for convolutions and operators like them, one for
// each scale of the weights; the second for products of matrices whose right side has one scale
// (other products take the first).
Multiplier conv_multiplier(float x, float weights, float y);
Multiplier matmul_multiplier(float a, float b, float y);
// LiteRT's, of any product: a float32.
Multiplier float_multiplier(float x, float weights, float y);

QuantizedAddAttributes add_attributes(const Wanted& wanted, const Scaled& a, const Scaled& b,
                                      SumKind kind);
// Attributes of the square of a difference.
QuantizedAddAttributes squared_difference_attributes(const Wanted& wanted, const Scaled& a,
                                                     const Scaled& b);
// LiteRT's: factors of 21 bits, one shift. Nothing where they are too large or small for that.
std::optional<QuantizedAddAttributes> litert_add_attributes(const Wanted& wanted, const Scaled& a,
                                                            const Scaled& b, SumKind kind);
// `count`: how many elements each result is the mean of; 0: it is their sum.
QuantizedSumAttributes sum_attributes(const Wanted& wanted, const Scaled& x, uint32_t axes,
                                      uint32_t count);

// Scales x (int8, uint8) less the row's greatest element: `input` makes it a number of 5 integer
// bits times beta; differences below `difference_min` have an exponential of 0.
struct SoftmaxScale {
  Multiplier input;
  int32_t difference_min = 0;
};
// Nothing where scale and beta are so small that the multiplier does not fit the arithmetic.
std::optional<SoftmaxScale> softmax_scale(float x, float beta);

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
