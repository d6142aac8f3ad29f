// Walks the windows of products of 16-bit activations.
#pragma once

#include "portable_fallback/fast/int16_products.h"
#include "portable_fallback/fast/tap_range.h"

namespace arenite {
namespace {

// Gives a lane the numbers that a place reads: copy(x, step, count) of those in x, fill(number,
// count) beside it.
template <typename Lane>
[[gnu::noinline]] void copy_window(const Int16Products& p, uint32_t line, uint32_t place,
                                   Lane lane) {
  const uint32_t run = p.kernel_w * p.channels;
  const auto left = static_cast<int32_t>(place * p.stride_w) - static_cast<int32_t>(p.pad_w);
  const auto dilation = static_cast<int32_t>(p.dilation_w);
  const int32_t right = left + static_cast<int32_t>(p.kernel_w - 1) * dilation;
  const bool inside = p.joined && left >= 0 && right < static_cast<int32_t>(p.in_w);
  auto ih = static_cast<int32_t>(line * p.stride_h) - static_cast<int32_t>(p.pad_h);
  for (uint32_t h = p.kernel_h; h != 0; --h, ih += static_cast<int32_t>(p.dilation_h)) {
    if (ih < 0 || ih >= static_cast<int32_t>(p.in_h)) {
      lane.fill(p.outside, run);
      continue;
    }
    const Src<int16_t> row = p.x + static_cast<size_t>(ih) * p.x_h;
    if (inside) {
      lane.copy(row + static_cast<size_t>(left) * p.x_w, p.x_c, run);
      continue;
    }
    for (int32_t iw = left; iw <= right; iw += dilation) {
      if (iw < 0 || iw >= static_cast<int32_t>(p.in_w)) {
        lane.fill(p.outside, p.channels);
      } else {
        lane.copy(row + static_cast<size_t>(iw) * p.x_w, p.x_c, p.channels);
      }
    }
  }
}

// The taps of a depthwise window that lie inside x.
struct InsideTaps {
  InsideTaps(const Int16Products& p, const TapRange& of_lines, uint32_t place)
      : InsideTaps(p, of_lines,
                   TapRange(place, p.stride_w, p.pad_w, p.dilation_w, p.kernel_w, p.in_w)) {}
  InsideTaps(const Int16Products& p, const TapRange& of_lines, const TapRange& of_line)
      : x(p.x + (of_lines.first * p.x_h + of_line.first * p.x_w)),
        w(p.w + (of_lines.begin * p.w_h + of_line.begin * p.w_w)),
        lines(of_lines.end - of_lines.begin),
        taps(of_line.end - of_line.begin),
        x_line(p.dilation_h * p.x_h),
        x_tap(p.dilation_w * p.x_w),
        w_line(p.w_h),
        w_tap(p.w_w) {}

  Src<int16_t> x;      // of the first one
  const std::byte* w;  // likewise
  uint32_t lines, taps;
  size_t x_line, x_tap, w_line, w_tap;  // elements to the next
};

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
