// Describes float products to kernels for microcontrollers: sums of x times w over the taps and
// channels of a window. A matrix product is one with a window of one tap.
//
// A place is one of a line of y, a column an output channel. Products are numbered by
// k = tap * channels + channel, or k = tap in depthwise windows. A tap beside x adds nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

struct FloatRows {
  Src<float> x;       // [in_h, in_w, channels]
  const float* w;     // [columns][k]; depthwise [k][columns]
  const float* bias;  // [columns], or null
  Dst<float> y;       // [line, place, columns]
  // Memory of the thread's own: [k][places] floats of the places at once. Null: the only place of a
  // line reads neighboring floats from x on.
  float* rows;
  // Strides in elements.
  size_t x_h, x_w, x_c;
  size_t y_h, y_w, y_c;
  uint32_t in_h, in_w, out_w;
  uint32_t kernel_h, kernel_w;
  uint32_t stride_h, stride_w;
  uint32_t dilation_h, dilation_w;
  uint32_t pad_h, pad_w;  // above and to the left
  uint32_t channels, columns;
  // Each sum s is stored as min(max(s, low), high), if `clamps`; NaN stays. Null, or what else is
  // done to sums before they are stored: kernels see no such code.
  bool clamps;
  float low, high;
  void (*activate)(const void* activation, float* sums, uint32_t count);
  const void* activation;
};

// Places that are computed at once where `left` places of a line are left.
constexpr uint32_t float_places_at_once(uint32_t left) { return left >= 4 ? 4 : 1; }

// Computes places [place, end) of a line from left to right, some at once: reads all that they need
// of x, then writes all columns of them; without rows it reads them again for each four columns.
using AddFloatRows = void (*)(const FloatRows& p, uint32_t line, uint32_t place, uint32_t end);
// Computes places [place, end) of a line whose columns each read the channel of their number alone:
// for each place up to four columns at a time, each reads, then writes. x_c and y_c are 1.
using AddFloatWindows = void (*)(const FloatRows& p, uint32_t line, uint32_t place, uint32_t end);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
