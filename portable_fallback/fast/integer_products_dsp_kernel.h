// Adds products of 8-bit integers with Arm's DSP extension: sums of x times w over the taps and
// channels of a window, and their results. A matrix product is one with a window of one tap.
#pragma once

#include "portable_fallback/fast/integer_products.h"

namespace arenite {

inline constexpr uint32_t kDspPlaces = 4;  // that are computed at once, at most
// So many where `left` places of a line are left.
constexpr uint32_t dsp_places_at_once(uint32_t left) { return left >= 4 ? 4 : left >= 2 ? 2 : 1; }

// Weights are blocks of two columns, [columns / 2][k][2]; rows hold a word for two k,
// [k / 2][places], of the places at once.
//
// Computes places [place, end) of a line from left to right, some at once: reads all that they need
// of x, then writes all columns of them.
void add_products_dsp(const IntegerProducts& products, uint32_t line, uint32_t place, uint32_t end);

// A convolution whose columns each read the channel of their number alone, with windows of at most
// 3 by 3 taps that are neighbors in a line, one or two places on for the next. x_c and y_c are 1,
// and so are the elements between columns of w.
struct DspDepthwise {
  IntegerProducts
      products;     // `channels` is not used, and `rows` are dsp_depthwise_words() of memory
  size_t w_h, w_w;  // elements between taps
};
// Computes a line, four columns at once: reads all that they need of x, then writes them.
void add_depthwise_dsp(const DspDepthwise& depthwise, uint32_t line);

// Pairs of neighboring pixels of a line of x that four columns of `places` places take from each of
// three lines.
constexpr uint32_t dsp_depthwise_pairs(uint32_t places, uint32_t stride_w) {
  return stride_w * (places - 1) / 2 + 2;
}
// Words of the memory: the pairs and the weights of four columns.
constexpr uint32_t dsp_depthwise_words(uint32_t places, uint32_t stride_w) {
  return 4 * 3 * (dsp_depthwise_pairs(places, stride_w) + 2);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
