// Describes depthwise products of 8-bit integers to kernels that read x and w where they lie, for
// lines of one place: those of networks that hear sounds piece by piece.
#pragma once

#include "portable_fallback/fast/integer_products.h"
#include "portable_fallback/fast/tap_range.h"

namespace arenite {

// A convolution whose columns each read the channel of their number alone, at place 0 of a line.
// x_c and y_c are 1, and so are the elements between columns of w.
struct PlaceProducts {
  IntegerProducts products;  // `channels`, `out_w` and `rows` are not used
  size_t w_h, w_w;           // elements between taps
};

namespace {

// Taps that follow each other, of the first column: x_step and w_step elements lie between them.
struct TapRun {
  Src<std::byte> x;
  size_t x_step;
  Src<std::byte> w;
  size_t w_step;
  uint32_t count;
};

// Walks the taps of a line of y.
class PlaceTaps {
 public:
  PlaceTaps(const PlaceProducts& d, uint32_t line)
      : d_(d),
        lines_(line, d.products.stride_h, d.products.pad_h, d.products.dilation_h,
               d.products.kernel_h, d.products.in_h),
        taps_(0, d.products.stride_w, d.products.pad_w, d.products.dilation_w, d.products.kernel_w,
              d.products.in_w) {}

  // Calls add(run) for those that lie inside x and, where these count, for those beside it, which
  // read `beside` instead.
  template <typename Add>
  [[gnu::always_inline]] void each(uint32_t column, const std::byte* beside, const Add& add) const {
    const IntegerProducts& p = d_.products;
    const size_t w_w = d_.w_w, x_step = p.dilation_w * p.x_w;
    const auto add_beside = [&](Src<std::byte> w, uint32_t count) {
      if (count != 0) add(TapRun{as<std::byte>(beside), 0, w, w_w, count});
    };
    const bool counts = p.outside != 0;
    Src<std::byte> w = as<std::byte>(p.w) + column;
    Src<std::byte> x = p.x + (lines_.first * p.x_h + taps_.first * p.x_w + column);
    for (uint32_t h = 0; h < p.kernel_h; ++h, w += d_.w_h) {
      const bool inside = h >= lines_.begin && h < lines_.end;
      const uint32_t begin = inside ? taps_.begin : 0, end = inside ? taps_.end : 0;
      if (counts) {
        add_beside(w, begin);
        add_beside(w + end * w_w, p.kernel_w - end);
      }
      if (begin < end) add(TapRun{x, x_step, w + begin * w_w, w_w, end - begin});
      if (inside) x += p.dilation_h * p.x_h;
    }
  }

 private:
  const PlaceProducts& d_;
  TapRange lines_, taps_;
};

// The number that stands beside x, as x has it.
inline std::byte byte_beside(const IntegerProducts& p) {
  return static_cast<std::byte>(static_cast<uint32_t>(p.outside - p.added) ^ (p.flip & 0xff));
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
