// Describes integer products to kernels: sums of x times w over the taps and channels of a window,
// and their results. A matrix product is one with a window of one tap.
//
// A place is one of a line of y, a column an output channel. Products are numbered by
// k = tap * channels + channel.
#pragma once

#include "core/access.h"
#include "portable_fallback/fast/integer_results.h"

namespace arenite {

struct IntegerProducts {
  Src<std::byte> x;    // [in_h, in_w, channels] of int8 or uint8, with the strides below
  const std::byte* w;  // int8, in the blocks that a kernel reads; depthwise by strides
  Dst<int8_t> y;       // [line, place, columns], uint8 too
  // Memory of the thread's own, for what a kernel makes of x.
  uint32_t* rows;
  // Strides in elements.
  size_t x_h, x_w, x_c;
  size_t y_h, y_w, y_c;
  uint32_t in_h, in_w, out_w;
  uint32_t kernel_h, kernel_w;
  uint32_t stride_h, stride_w;
  uint32_t dilation_h, dilation_w;
  uint32_t pad_h, pad_w;  // above and to the left
  uint32_t channels, columns;
  bool one_pixel;        // each place reads the pixel in its own place alone
  bool joined;           // the taps of a line of a window are neighbors in x
  uint32_t flip;         // of uint8 the bits that make them int8: 0x80808080
  int32_t added;         // to each int8 of x: what its zero point is below 0
  int32_t outside;       // what a tap beside x counts
  int32_t w_zero_point;  // of all weights; 0 for kernels that say nothing of it
  IntegerResults results;
};

namespace {

// Products of a sum.
inline uint32_t depth_of(const IntegerProducts& p) { return p.kernel_h * p.kernel_w * p.channels; }

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
