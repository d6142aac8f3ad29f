// Copies the windows of some places to rows of bytes that follow each other.
#pragma once

#include "portable_fallback/fast/integer_products.h"
#include "portable_fallback/fast/mve.h"

namespace arenite {
namespace {

// `count` elements of x, x_step apart.
inline int8_t* copy(int8_t* to, Src<std::byte> x, size_t x_step, uint32_t count) {
  if (x_step == 1) return mve::copy_bytes(to, x, count);
  for (; count != 0; --count, x += x_step) *to++ = static_cast<int8_t>(*x);
  return to;
}

constexpr uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

// The windows of `places` places whose taps of a line are neighbors: up to three runs a line.
[[gnu::noinline]] void copy_joined(const IntegerProducts& p, uint32_t line, uint32_t place,
                                   uint32_t places, int8_t* to) {
  // Copies: what is written could be p's own bytes.
  const Src<std::byte> x = p.x;
  const size_t x_h = p.x_h, x_w = p.x_w, x_c = p.x_c;
  const uint32_t channels = p.channels;
  const uint32_t in_h = p.in_h, kernel_h = p.kernel_h, dilation_h = p.dilation_h;
  const uint32_t run = p.kernel_w * channels;
  const int32_t outside = p.outside - p.added;
  const uint32_t top = line * p.stride_h - p.pad_h;  // above x these are large numbers
  uint32_t left = place * p.stride_w - p.pad_w;
  for (; places != 0; --places, left += p.stride_w) {
    // [before, end) of a line's taps lie in x.
    const uint32_t before = static_cast<int32_t>(left) < 0 ? smaller(0 - left, p.kernel_w) : 0;
    const auto right = static_cast<int32_t>(p.in_w - left);
    uint32_t end = right < 0 ? 0 : smaller(static_cast<uint32_t>(right), p.kernel_w);
    if (end < before) end = before;
    const uint32_t first = before * channels;
    const uint32_t inside = (end - before) * channels;
    const uint32_t last = run - first - inside;
    const size_t at = size_t{left + before} * x_w;
    uint32_t ih = top;
    for (uint32_t h = kernel_h; h != 0; --h, ih += dilation_h) {
      if (ih >= in_h || inside == 0) {
        to = mve::fill_bytes(to, outside, run);
        continue;
      }
      if (first != 0) to = mve::fill_bytes(to, outside, first);
      to = copy(to, x + (ih * x_h + at), x_c, inside);
      if (last != 0) to = mve::fill_bytes(to, outside, last);
    }
  }
}

// Places of a line whose windows lie inside x, if their taps are neighbors.
struct InsidePlaces {
  uint32_t begin, end;
};
InsidePlaces inside_places(const IntegerProducts& p, uint32_t line) {
  const uint32_t top = line * p.stride_h;
  const uint32_t width = p.in_w + p.pad_w, height = p.in_h + p.pad_h;
  if (!p.joined || p.x_c != 1 || top < p.pad_h || width < p.kernel_w ||
      height < (p.kernel_h - 1) * p.dilation_h + top + 1) {
    return {0, 0};
  }
  return {(p.pad_w + p.stride_w - 1) / p.stride_w, (width - p.kernel_w) / p.stride_w + 1};
}

// The windows of such places.
inline void copy_inside(const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t places,
                        int8_t* to) {
  Src<std::byte> x =
      p.x + ((line * p.stride_h - p.pad_h) * p.x_h + (place * p.stride_w - p.pad_w) * p.x_w);
  for (; places != 0; --places, x += p.stride_w * p.x_w) {
    to = mve::copy_lines(to, x, p.dilation_h * p.x_h, p.kernel_h, p.kernel_w * p.channels);
  }
}

// The window of a place whose taps are not.
[[gnu::noinline]] void copy_window(const IntegerProducts& p, uint32_t line, uint32_t place,
                                   int8_t* to) {
  const int32_t outside = p.outside - p.added;
  uint32_t ih = line * p.stride_h - p.pad_h;
  for (uint32_t h = 0; h < p.kernel_h; ++h, ih += p.dilation_h) {
    uint32_t iw = place * p.stride_w - p.pad_w;
    for (uint32_t w = 0; w < p.kernel_w; ++w, iw += p.dilation_w) {
      if (ih >= p.in_h || iw >= p.in_w) {
        to = mve::fill_bytes(to, outside, p.channels);
      } else {
        to = copy(to, p.x + (ih * p.x_h + iw * p.x_w), p.x_c, p.channels);
      }
    }
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
