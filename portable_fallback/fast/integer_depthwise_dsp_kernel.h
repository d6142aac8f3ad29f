// Adds products of depthwise windows of 8-bit integers with Arm's DSP extension.
#pragma once

#include "portable_fallback/fast/integer_products.h"

namespace arenite {

// A convolution whose columns each read one channel, as many neighbors as the depth multiplier says
// the same, with windows of any taps that are neighbors in a line. x_c and y_c are 1, and so are
// the elements between columns of w.
struct DspDepthwise {
  IntegerProducts
      products;     // `channels` is not used, and `rows` are dsp_depthwise_words() of memory
  size_t w_h, w_w;  // elements between taps
  uint32_t columns_of_channel;
};
// Computes a line, four columns at once: reads all that they need of x, then writes them.
void add_depthwise_dsp(const DspDepthwise& depthwise, uint32_t line);

// Pixels of a line of x that so many places read by windows of so many taps.
constexpr uint32_t dsp_depthwise_pixels(uint32_t places, uint32_t stride_w, uint32_t taps) {
  return stride_w * (places - 1) + taps;
}
// Windows of up to so many taps keep their weights on the stack.
inline constexpr uint32_t kDspStackTaps = 9;
// Words of the memory: the pixels of the lines of a window and its weights, of four columns.
constexpr uint32_t dsp_depthwise_words(uint32_t pixels, uint32_t kernel_h, uint32_t kernel_w) {
  const uint32_t taps = kernel_h * kernel_w;
  return kernel_h * pixels + (taps > kDspStackTaps ? 2 * taps : 0);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
