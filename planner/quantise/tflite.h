// The numbers with which TensorFlow Lite's kernels compute on integers, made of scales and zero
// points exactly as its reference kernels for microcontrollers make them: which steps are rounded
// to float32 decides the last bits of multipliers, and with them single results.
#pragma once

#include <cstdint>
#include <optional>

#include "core/types.h"
#include "ops/attributes.h"
#include "planner/quantise/multiplier.h"

namespace arenite::planner::tflite {

// What integers of one tensor stand for: (integer - zero_point) * scale. The scale is finite and
// above 0; dtype is int8, uint8 or int16, of some operands int32.
struct Scaled {
  DType dtype = DType::kNone;
  float scale = 1;
  int32_t zero_point = 0;

  bool operator==(const Scaled&) const = default;
};

// The least and the greatest of integers.
struct Limits {
  int32_t low = 0, high = 0;
};
Limits limits_of(DType dtype);
// Those that a clip to [low, high] leaves of `y`; infinities are no bounds.
Limits limits_of(const Scaled& y, float low, float high);

// The end of a step that makes `y`.
Requantisation requantisation(const Scaled& y, const Limits& limits);

// Of a sum of products: of a convolution and of its kind, for each scale of the weights; of a
// product of matrices whose right side has one scale (else as a convolution's).
Multiplier conv_multiplier(float x, float weights, float y);
Multiplier matmul_multiplier(float a, float b, float y);

QuantizedAddAttributes add_attributes(const Scaled& a, const Scaled& b, const Scaled& y,
                                      const Limits& limits, bool subtract);
QuantizedMulAttributes mul_attributes(const Scaled& a, const Scaled& b, const Scaled& y,
                                      const Limits& limits);
// `count`: how many elements each result is the mean of; 0: it is their sum.
QuantizedSumAttributes sum_attributes(const Scaled& x, const Scaled& y, uint32_t axes,
                                      uint32_t count);
RequantizeAttributes requantize_attributes(const Scaled& x, const Scaled& y, const Limits& limits);

// Of x (int8, uint8) less the row's greatest element: the multiplier that makes it a number of 5
// integer bits times beta, and the least such difference whose exponential counts.
struct SoftmaxScale {
  Multiplier input;
  int32_t difference_min = 0;
};
// Nothing where scale and beta are so small that the multiplier does not fit the arithmetic.
std::optional<SoftmaxScale> softmax_scale(float x, float beta);

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
