// Adds the windows of convolutions in which each channel has its own, four neighboring channels at
// a time; compiled for each kind of Four (fours.h).
#pragma once

#include "portable_fallback/fast/float_rows.h"
#include "portable_fallback/fast/fours.h"

namespace arenite {
namespace {

// The taps [begin, end) of a window that begins at `start` that lie inside of `size`.
struct InnerTaps {
  uint32_t begin = 0, end = 0;
  int32_t first = 0;  // where tap `begin` lies

  InnerTaps(int32_t start, uint32_t taps, uint32_t dilation, uint32_t size) {
    for (uint32_t t = 0; t < taps; ++t, start += static_cast<int32_t>(dilation)) {
      if (static_cast<uint32_t>(start) >= size) continue;
      if (end == 0) {
        begin = t;
        first = start;
      }
      end = t + 1;
    }
  }
  uint32_t count() const { return end - begin; }
};

// The taps of a window inside x: counts, the first one, and elements between them.
struct FloatWindow {
  Src<float> x;
  const float* w;
  uint32_t h, w_taps;
  size_t x_h, x_w, w_h, w_w;
};

// Calls add(x, w) for the taps of a channel or four.
template <uint32_t kChannels, typename Add>
[[gnu::always_inline]] inline void for_window(const FloatWindow& window, uint32_t channel,
                                              const Add& add) {
  Src<float> x_line = window.x + channel;
  const float* w_line = window.w + channel;
  for (uint32_t h = window.h; h != 0; --h, x_line += window.x_h, w_line += window.w_h) {
    Src<float> x = x_line;
    const float* w = w_line;
    for (uint32_t t = window.w_taps; t != 0; --t, x += window.x_w, w += window.w_w) {
      add(x, w);
    }
  }
}

[[gnu::noinline]] void add_window(const FloatRows& p, const FloatWindow& window, Dst<float> y) {
  uint32_t channel = 0;
  for (; p.columns - channel >= 4; channel += 4) {
    Four sum = p.bias != nullptr ? load_four(p.bias + channel) : four_of(0.0f);
    for_window<4>(window, channel,
                  [&](const float* x, const float* w) { add_products_at(x, w, sum); });
    if (p.clamps) sum = limited(sum, p.low, p.high);
    float sums[4];
    store_four(sums, sum);
    if (p.activate != nullptr) p.activate(p.activation, sums, 4);
    put<float>(y + channel, sums, 4);
  }
  for (; channel < p.columns; ++channel) {
    float sum = p.bias != nullptr ? p.bias[channel] : 0.0f;
    for_window<1>(window, channel, [&](const float* x, const float* w) { sum += *x * *w; });
    if (p.clamps) sum = limited(sum, p.low, p.high);
    if (p.activate != nullptr) p.activate(p.activation, &sum, 1);
    y[channel] = sum;
  }
}

inline void add_float_windows(const FloatRows& p, uint32_t line, uint32_t place, uint32_t end) {
  const auto top = static_cast<int32_t>(line * p.stride_h) - static_cast<int32_t>(p.pad_h);
  const InnerTaps h(top, p.kernel_h, p.dilation_h, p.in_h);
  FloatWindow window = {};
  window.x_h = p.dilation_h * p.x_h;
  window.x_w = p.dilation_w * p.x_w;
  window.w_w = p.columns;
  window.w_h = p.kernel_w * window.w_w;
  for (; place < end; ++place) {
    const auto left = static_cast<int32_t>(place * p.stride_w) - static_cast<int32_t>(p.pad_w);
    const InnerTaps w(left, p.kernel_w, p.dilation_w, p.in_w);
    window.h = w.count() != 0 ? h.count() : 0;
    window.w_taps = w.count();
    // No pointer is made to a window that lies outside of x.
    window.x = p.x;
    window.w = p.w;
    if (window.h != 0) {
      window.x += static_cast<size_t>(h.first) * p.x_h + static_cast<size_t>(w.first) * p.x_w;
      window.w += h.begin * window.w_h + w.begin * window.w_w;
    }
    add_window(p, window, p.y + line * p.y_h + place * p.y_w);
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
