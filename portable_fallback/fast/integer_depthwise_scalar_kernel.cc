// Adds the products of depthwise windows, a column of a line at a time:
//
//   rows   lines 0, 1, ... of pixel 0 | of pixel 1 | ...    16 bits, less the zero point
//   taps   lines 0, 1, ... of tap 0 | of tap 1 | ...        the same, of the column's weights
//
// The lines of x are copied, and what lies beside x is filled in: so a window is numbers that
// follow each other, as its weights do.
#include "portable_fallback/fast/integer_depthwise_scalar_kernel.h"

// Instructions of CPUs with vectors would be in the way of comparing counts.
#define ARENITE_WITHOUT_DSP
#include "portable_fallback/fast/integer_finish_dsp.h"

namespace arenite {
namespace {

constexpr uint32_t kUnrolledTaps = 9;   // of windows of 3 by 3
constexpr uint32_t kPlacesAtOnce = 16;  // whose sums are made before their results

// Copies the numbers of a line, less the zero point; returns the end of them.
template <typename T>
int16_t* copy_line(Src<std::byte> x, size_t x_w, uint32_t count, int32_t added, int16_t* to,
                   size_t step) {
  for (; count != 0; --count, x += x_w, to += step) {
    *to = static_cast<int16_t>(static_cast<T>(*x) + added);
  }
  return to;
}

// Copies a channel of the pixels that a line of y reads.
[[gnu::noinline]] void copy_pixels(const IntegerProducts& p, uint32_t line, uint32_t channel,
                                   int16_t* rows) {
  const uint32_t count = scalar_depthwise_pixels(p.out_w, p.stride_w, p.kernel_w);
  const uint32_t begin = p.pad_w < count ? p.pad_w : count;
  const uint32_t end = p.in_w + p.pad_w < count ? p.in_w + p.pad_w : count;
  const uint32_t kernel_h = p.kernel_h;
  const auto outside = static_cast<int16_t>(p.outside);
  auto ih = static_cast<int32_t>(line * p.stride_h) - static_cast<int32_t>(p.pad_h);
  for (uint32_t h = 0; h < kernel_h; ++h, ih += static_cast<int32_t>(p.dilation_h)) {
    int16_t* to = rows + h;
    uint32_t i = 0;
    if (ih >= 0 && static_cast<uint32_t>(ih) < p.in_h) {
      for (; i < begin; ++i, to += kernel_h) *to = outside;
      if (i < end) {
        const Src<std::byte> x = p.x + static_cast<size_t>(ih) * p.x_h + channel * p.x_c;
        to = p.flip != 0 ? copy_line<uint8_t>(x, p.x_w, end - i, p.added - 128, to, kernel_h)
                         : copy_line<int8_t>(x, p.x_w, end - i, p.added, to, kernel_h);
        i = end;
      }
    }
    for (; i < count; ++i, to += kernel_h) *to = outside;
  }
}

// A column's weights, less their zero point.
void copy_taps(const ScalarDepthwise& d, uint32_t column, int16_t* to) {
  const IntegerProducts& p = d.products;
  const auto* taps = static_cast<const int8_t*>(static_cast<const void*>(p.w)) + column * d.w_n;
  for (uint32_t w = 0; w < p.kernel_w; ++w, taps += d.w_w) {
    for (uint32_t h = 0; h < p.kernel_h; ++h) {
      *to++ = static_cast<int16_t>(taps[h * d.w_h] - p.w_zero_point);
    }
  }
}

// Adds the products of a window to a sum.
inline int32_t add_window(const int16_t* x, const int16_t* taps, uint32_t count, int32_t start) {
  auto sum = static_cast<uint32_t>(start);
  if (count == kUnrolledTaps) {
#pragma GCC unroll 9
    for (uint32_t i = 0; i < kUnrolledTaps; ++i) sum += static_cast<uint32_t>(x[i] * taps[i]);
  } else {
    for (; count != 0; --count) sum += static_cast<uint32_t>(*x++ * *taps++);
  }
  return static_cast<int32_t>(sum);
}

}  // namespace

void add_depthwise_scalar(const ScalarDepthwise& d, uint32_t line) {
  const IntegerProducts& p = d.products;
  const uint32_t count = p.kernel_h * p.kernel_w;
  auto* rows = static_cast<int16_t*>(static_cast<void*>(p.rows));
  int16_t* const taps =
      rows + size_t{p.kernel_h} * scalar_depthwise_pixels(p.out_w, p.stride_w, p.kernel_w);
  const size_t x_step = size_t{p.stride_w} * p.kernel_h;
  const size_t y_w = p.y_w;
  // The channel that a column reads, and the columns before it that read the same.
  uint32_t channel = 0, before = 0;
  for (uint32_t column = 0; column < p.columns; ++column) {
    copy_pixels(p, line, channel, rows);
    if (++before == d.columns_of_channel) {
      before = 0;
      ++channel;
    }
    copy_taps(d, column, taps);
    const int32_t bias = p.results.bias[column * p.results.bias_step];
    const bool small =
        p.results.small && (constant_pair(p.results, column & ~1u) >> column % 2 & 1) == 0;
    const int16_t* x = rows;
    Dst<int8_t> y = p.y + line * p.y_h + column * p.y_c;
    for (uint32_t left = p.out_w; left != 0;) {
      const uint32_t places = left < kPlacesAtOnce ? left : kPlacesAtOnce;
      int32_t sums[kPlacesAtOnce];
      for (uint32_t i = 0; i < places; ++i, x += x_step) {
        sums[i] = add_window(x, taps, count, bias);
      }
      if (small) {
        const SmallFactor factor(p.results, column);
        for (uint32_t i = 0; i < places; ++i) y[i * y_w] = factor.result(2 * sums[i]);
      } else {
        finish<false>(p.results, column, 1, sums, places, {y, p.y_c, y_w});
      }
      y += places * y_w;
      left -= places;
    }
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
