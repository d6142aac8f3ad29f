// Adds products of depthwise windows of 8-bit integers with Arm's MVE.
#pragma once

#include "portable_fallback/fast/integer_products.h"

namespace arenite {

inline constexpr uint32_t kMveLines = 3;      // of a window, at most
inline constexpr uint32_t kMveTaps = 4;       // of a line of a window, at most
inline constexpr uint32_t kMveChannels = 16;  // that are computed at once
inline constexpr uint32_t kMvePlaces = 12;
inline constexpr uint32_t kMveTapWords = kMveTaps * kMveChannels;

// A convolution whose columns each read the channel of their number alone, with windows of at most
// kMveLines by kMveTaps taps that are neighbors in a line, one or two places on for the next. x_c
// and y_c are 1, and so are the elements between columns of w.
struct MveDepthwise {
  IntegerProducts products;  // `channels` is not used, and `rows` are mve_depthwise_words()
  size_t w_h, w_w;           // elements between taps
};

// Places of a line that are computed at once, where so many are left.
constexpr uint32_t mve_depthwise_at_once(uint32_t left) {
  return left < kMvePlaces ? left : kMvePlaces;
}
// Pixels of x that so many places need, an even number of them.
constexpr uint32_t mve_depthwise_pixels(uint32_t places, uint32_t stride_w) {
  return stride_w * ((places + 1) / 2 * 2 - 1) + kMveTaps;
}
// Words of the memory for a line of so many places: the pixels and the taps, of 16 channels.
constexpr uint32_t mve_depthwise_words(uint32_t places, uint32_t stride_w) {
  return kMveChannels * (mve_depthwise_pixels(mve_depthwise_at_once(places), stride_w) + kMveTaps);
}

// Of the same with weights that have a zero point.
constexpr uint32_t mve_depthwise_split_words(uint32_t places, uint32_t stride_w) {
  return mve_depthwise_words(places, stride_w) + kMveTapWords;
}

// The biases of all columns for sums of x without its zero point, as fold_products_mve() has them.
void fold_depthwise_mve(const MveDepthwise& depthwise, int32_t* biases);

// Computes a line from left to right, some places of 16 columns at once: reads all that these need
// of x, then writes them. The biases are those of fold_depthwise_mve().
void add_depthwise_mve(const MveDepthwise& depthwise, uint32_t line);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
