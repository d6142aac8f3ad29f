// Copies the windows of a few places to rows of pairs of 16-bit numbers, less the zero point.
#pragma once

#include "portable_fallback/fast/integer_lane_dsp.h"
#include "portable_fallback/fast/integer_products.h"

namespace arenite {
namespace {

// Four neighboring bytes that a place beside x reads.
inline uint32_t outside_word(const IntegerProducts& p) {
  return (static_cast<uint8_t>(p.outside - p.added) * 0x01010101u) ^ p.flip;
}

// The window of one of `places` places.
template <typename Order>
[[gnu::cold, gnu::noinline]] void copy_window(const IntegerProducts& p, uint32_t line,
                                              uint32_t place, uint32_t* to, size_t places) {
  Lane<Order> lane(p, to, places);
  const uint32_t outside = outside_word(p);
  const auto beside =
      as<std::byte>(static_cast<const std::byte*>(static_cast<const void*>(&outside)));
  const uint32_t left = place * p.stride_w - p.pad_w;
  uint32_t ih = line * p.stride_h - p.pad_h;
  for (uint32_t h = p.kernel_h; h != 0; --h, ih += p.dilation_h) {
    const uint32_t width = ih < p.in_h ? p.in_w : 0;
    const Src<std::byte> row = p.x + (width != 0 ? ih * p.x_h : 0);
    uint32_t iw = left, taps = 1;
    for (uint32_t after = p.kernel_w; after != 0; after -= taps, iw += taps * p.dilation_w) {
      // Neighbors that lie in x are copied at once, and others filled in: those before x, or all.
      if (p.joined) {
        const uint32_t alike = (iw < width ? width : 0) - iw;  // 0: all
        taps = alike - 1 < after ? alike : after;
      }
      const bool inside = iw < width;
      lane.copy(inside ? row + iw * p.x_w : beside, inside ? p.x_c : 0, taps * p.channels);
    }
  }
  lane.end();
}

// Four places whose windows lie inside x in lines of whole words, `step` elements apart.
template <typename Order>
[[gnu::noinline]] void copy_four_inside(const IntegerProducts& p, Src<std::byte> first, size_t step,
                                        uint32_t run) {
  const uint32_t added = dsp::pair_of(p.added, p.added);
  const uint32_t flip = p.flip;
  const size_t line_step = p.dilation_h * p.x_h;
  uint32_t* to = p.rows;
  for (uint32_t h = p.kernel_h; h != 0; --h, first += line_step) {
    Src<std::byte> x0 = first;
    Src<std::byte> x1 = x0 + step;
    Src<std::byte> x2 = x1 + step;
    Src<std::byte> x3 = x2 + step;
    for (uint32_t left = run; left != 0; left -= 4, to += 8) {
      Order::put(load_word(x0) ^ flip, added, to, to + 4);
      Order::put(load_word(x1) ^ flip, added, to + 1, to + 5);
      Order::put(load_word(x2) ^ flip, added, to + 2, to + 6);
      Order::put(load_word(x3) ^ flip, added, to + 3, to + 7);
      x0 += 4;
      x1 += 4;
      x2 += 4;
      x3 += 4;
    }
  }
}

// The same with lines of any length, byte by byte: a word goes on in the next line.
template <typename Order>
[[gnu::noinline]] void copy_four_uneven(const IntegerProducts& p, Src<std::byte> x, size_t step,
                                        uint32_t run) {
  const uint32_t added = dsp::pair_of(p.added, p.added);
  const uint32_t flip = p.flip;
  const auto to_next_line = static_cast<ptrdiff_t>(p.dilation_h * p.x_h - run);
  uint32_t* to = p.rows;
  uint32_t depth = p.kernel_h * run;
  uint32_t left = run;
  do {
    uint32_t words[4] = {}, bits = 0;
    do {
      words[0] |= static_cast<uint32_t>(x[0]) << bits;
      words[1] |= static_cast<uint32_t>(x[step]) << bits;
      words[2] |= static_cast<uint32_t>(x[2 * step]) << bits;
      words[3] |= static_cast<uint32_t>(x[3 * step]) << bits;
      bits += 8;
      x += 1;
      if (--left == 0) {
        left = run;
        x += to_next_line;
      }
    } while (--depth != 0 && bits != 32);
    for (uint32_t i = 0; i < 4; ++i) {
      Order::put_last(words[i] ^ flip, bits, added, to + i, to + 4 + i);
    }
    to += 8;
  } while (depth != 0);
}

template <uint32_t kPlaces, typename Order = Neighbors>
void copy_windows(const IntegerProducts& p, uint32_t line, uint32_t place) {
  if constexpr (kPlaces == 4) {
    const uint32_t run = p.kernel_w * p.channels;
    const auto top = static_cast<int32_t>(line * p.stride_h) - static_cast<int32_t>(p.pad_h);
    const auto left = static_cast<int32_t>(place * p.stride_w) - static_cast<int32_t>(p.pad_w);
    const auto lowest = static_cast<int32_t>(p.in_h - (p.kernel_h - 1) * p.dilation_h);
    const auto rightmost = static_cast<int32_t>(p.in_w - (p.kernel_w - 1) * p.dilation_w);
    if (p.x_c == 1 && p.joined && top >= 0 && top < lowest && left >= 0 &&
        left + static_cast<int32_t>(3 * p.stride_w) < rightmost) {
      const Src<std::byte> first =
          p.x + static_cast<size_t>(top) * p.x_h + static_cast<size_t>(left) * p.x_w;
      return run % 4 == 0 ? copy_four_inside<Order>(p, first, p.stride_w * p.x_w, run)
                          : copy_four_uneven<Order>(p, first, p.stride_w * p.x_w, run);
    }
  }
  for (uint32_t i = 0; i < kPlaces; ++i) {
    copy_window<Order>(p, line, place + i, p.rows + i, kPlaces);
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
