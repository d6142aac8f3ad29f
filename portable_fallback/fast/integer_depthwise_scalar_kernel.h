// Adds products of depthwise windows of 8-bit integers one at a time, on CPUs that multiply no
// vectors.
#pragma once

#include "portable_fallback/fast/integer_products.h"

namespace arenite {

// A convolution whose columns each read one channel, as many neighbors as the depth multiplier says
// the same, with windows of any taps that are neighbors in a line.
struct ScalarDepthwise {
  IntegerProducts
      products;  // `channels` is not used, and `rows` are scalar_depthwise_words() of memory
  size_t w_n, w_h, w_w;  // elements between columns and taps
  uint32_t columns_of_channel;
};
// Computes a line, a column at a time: reads all that it needs of x, then writes it.
void add_depthwise_scalar(const ScalarDepthwise& depthwise, uint32_t line);

// Pixels of a line of x that so many places read by windows of so many taps.
constexpr uint32_t scalar_depthwise_pixels(uint32_t places, uint32_t stride_w, uint32_t taps) {
  return stride_w * (places - 1) + taps;
}
// Words of the memory: the pixels of the lines of a window and its weights, numbers of 16 bits.
constexpr uint32_t scalar_depthwise_words(uint32_t pixels, uint32_t kernel_h, uint32_t kernel_w) {
  return (kernel_h * (pixels + kernel_w) + 1) / 2;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
