// Adds products of depthwise windows of any size, of 8-bit integers with Arm's MVE.
#pragma once

#include "portable_fallback/fast/integer_products.h"

namespace arenite {

inline constexpr uint32_t kWindowChannels = 16;  // that are computed at once
inline constexpr uint32_t kWindowPlaces = 12;
// Places of a line that are computed at once, where so many are left.
constexpr uint32_t mve_windows_at_once(uint32_t left) {
  return left < kWindowPlaces ? left : kWindowPlaces;
}

constexpr uint32_t greatest_divisor(uint32_t a, uint32_t b) {
  while (b != 0) {
    const uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// How windows of a line lie in words of four taps, for each of 16 channels. The taps of a word are
// those of four lines, or of a window of one line four that follow each other.
struct WindowWords {
  uint32_t groups;  // of lines
  uint32_t pixels;  // words of a group
  uint32_t step;    // pixels of x from word to word
  uint32_t words;   // of a window

  constexpr WindowWords(uint32_t kernel_h, uint32_t kernel_w, uint32_t stride_w,
                        uint32_t dilation_w, uint32_t places)
      : groups((kernel_h + 3) / 4), pixels(0), step(0), words(0) {
    const bool one_line = kernel_h == 1;
    const uint32_t of_line = one_line ? (kernel_w + 3) / 4 : kernel_w;
    const uint32_t tap_step = one_line ? 4 * dilation_w : dilation_w;
    const uint32_t place_step = places > 1 ? stride_w : 0;
    step = greatest_divisor(place_step, of_line > 1 ? tap_step : 0);
    if (step == 0) step = 1;
    pixels = (place_step * (places - 1) + tap_step * (of_line - 1)) / step + 1;
    words = groups * of_line;
  }

  constexpr uint32_t vectors() const { return (words + 3) / 4; }
  // Of a thread's memory: the pixels and the taps.
  constexpr uint64_t row_words() const {
    return (uint64_t{groups} * pixels + 4 * vectors()) * kWindowChannels;
  }
};

// A convolution whose columns each read one channel, as many neighbors as the depth multiplier says
// the same. x_c and y_c are 1, and so are the elements between columns of w.
struct MveWindows {
  IntegerProducts products;  // `channels` is not used
  size_t w_h, w_w;           // elements between taps
  // Of WindowWords of mve_windows_at_once() of a line.
  uint32_t pixels, step;
  uint32_t columns_of_channel;
  const uint32_t* offsets;  // bytes from a place's first word to each of the window, as vectors()
};

// Those offsets: vectors() * 4.
void set_window_offsets(const MveWindows& windows, uint32_t* offsets);

// The biases of all columns for sums of int8 x without its zero point.
void fold_windows_mve(const MveWindows& windows, int32_t* biases);

// Computes up to kWindowPlaces places of a line from one on, 16 columns at a time: reads all that
// these need of x, then writes them. The biases are those of fold_windows_mve().
void add_windows_mve(const MveWindows& windows, uint32_t line, uint32_t place);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
