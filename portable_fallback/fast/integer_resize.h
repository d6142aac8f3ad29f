// Computes a line of places of a resized image of 8-bit integers, the channels of a place one after
// the other:
//
//   x    the first line that the places read, and from there on outer_taps lines
//   y    = sum of outer_weights[a] * weights[b] * x[a][first + b] / 2^fraction_bits
//
// Sums wrap in 32 bits; halves go away from zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/access.h"
#include "portable_fallback/fast/dsp.h"

namespace arenite {

inline constexpr uint32_t kResizeTapsMax = 16;      // products of a place
inline constexpr uint32_t kResizeFractionMax = 22;  // so that sums which saturate leave 8 bits

struct ResizeLine {
  Src<std::byte> x;
  Dst<std::byte> y;
  Src<int32_t> firsts;         // of each place; below 0 it lies outside
  Src<int16_t> weights;        // [places][taps]; null: elements are moved
  Src<int16_t> outer_weights;  // [outer_taps]; null: one of 1
  uint32_t taps, outer_taps;
  uint32_t places, channels;
  size_t x_step, x_outer, y_step;  // bytes between columns and lines of x, and places of y
  uint32_t fraction_bits;          // 1 to kResizeFractionMax where weights are
  uint8_t outside;
  bool all_outside, is_unsigned;
};

namespace {

// The products of a place: what multiplies an element, and where that lies behind the first.
struct ResizeTaps {
  int32_t factors[kResizeTapsMax];
  size_t offsets[kResizeTapsMax];
  uint32_t count;
};

inline int32_t factor_of(const ResizeLine& line, Src<int16_t> weights, uint32_t a, uint32_t b) {
  const int32_t outer = line.outer_weights == nullptr ? 1 : int32_t{line.outer_weights[a]};
  return outer * int32_t{weights[b]};
}

inline ResizeTaps taps_of(const ResizeLine& line, Src<int16_t> weights) {
  ResizeTaps taps;
  taps.count = 0;
  for (uint32_t a = 0; a < line.outer_taps; ++a) {
    for (uint32_t b = 0; b < line.taps; ++b) {
      taps.factors[taps.count] = factor_of(line, weights, a, b);
      taps.offsets[taps.count++] = a * line.x_outer + b * line.x_step;
    }
  }
  return taps;
}

inline int32_t added_product(int32_t sum, int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(sum) +
                              static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
}

// A sum's result: negative sums are one lower, so that halves go away from zero.
template <typename T>
[[gnu::always_inline]] inline T resized(int32_t sum, int32_t half, uint32_t bits) {
  const int32_t number = (dsp::saturated_sum(sum, half) + (sum >> 31)) >> bits;
  return static_cast<T>(std::is_unsigned_v<T> ? dsp::saturated_uint8(number)
                                              : dsp::saturated_8(number));
}

// Two columns of two lines, which are most of all resizes.
template <typename T>
void weigh_four(const ResizeLine& line, const ResizeTaps& taps, Src<std::byte> x,
                Dst<std::byte> y) {
  const int32_t f0 = taps.factors[0], f1 = taps.factors[1];
  const int32_t f2 = taps.factors[2], f3 = taps.factors[3];
  Src<T> x0 = as<T>(x), x1 = as<T>(x + taps.offsets[1]);
  Src<T> x2 = as<T>(x + taps.offsets[2]), x3 = as<T>(x + taps.offsets[3]);
  const uint32_t bits = line.fraction_bits;
  const int32_t half = int32_t{1} << (bits - 1);
  Dst<T> to = as<T>(y);
  for (uint32_t left = line.channels; left != 0; --left) {
    int32_t sum = added_product(0, f0, int32_t{*x0});
    sum = added_product(sum, f1, int32_t{*x1});
    sum = added_product(sum, f2, int32_t{*x2});
    sum = added_product(sum, f3, int32_t{*x3});
    *to = resized<T>(sum, half, bits);
    x0 += 1, x1 += 1, x2 += 1, x3 += 1, to += 1;
  }
}

template <typename T>
void weigh_any(const ResizeLine& line, const ResizeTaps& taps, Src<std::byte> x, Dst<std::byte> y) {
  const uint32_t bits = line.fraction_bits;
  const int32_t half = int32_t{1} << (bits - 1);
  Src<T> from = as<T>(x);
  Dst<T> to = as<T>(y);
  for (uint32_t left = line.channels; left != 0; --left, from += 1, to += 1) {
    int32_t sum = 0;
    for (uint32_t t = 0; t < taps.count; ++t) {
      sum = added_product(sum, taps.factors[t], int32_t{from[taps.offsets[t]]});
    }
    *to = resized<T>(sum, half, bits);
  }
}

template <typename T>
[[gnu::noinline]] void weigh(const ResizeLine& line, const ResizeTaps& taps, Src<std::byte> x,
                             Dst<std::byte> y) {
  taps.count == 4 ? weigh_four<T>(line, taps, x, y) : weigh_any<T>(line, taps, x, y);
}

inline void weigh_each(const ResizeLine& line, const ResizeTaps& taps, Src<std::byte> x,
                       Dst<std::byte> y) {
  line.is_unsigned ? weigh<uint8_t>(line, taps, x, y) : weigh<int8_t>(line, taps, x, y);
}

inline void move_each(Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  for (; count != 0; --count, x += 1, y += 1) *y = *x;
}

// The places of planes, which have a single channel each.
[[gnu::noinline]] inline void move_plane(const ResizeLine& line) {
  Src<int32_t> first = line.firsts;
  Src<std::byte> x = line.x;
  Dst<std::byte> y = line.y;
  const size_t x_step = line.x_step, y_step = line.y_step;
  const std::byte outside = std::byte{line.outside};
  for (uint32_t left = line.places; left != 0; --left, first += 1, y += y_step) {
    const int32_t column = *first;
    if (column < 0) {
      *y = outside;
    } else {
      const std::byte moved = x[static_cast<uint32_t>(column) * x_step];
      *y = moved;
    }
  }
}

// The same of two columns of two lines each. Lines are weighed apart, which wraps alike: what lies
// between has 25 bits.
template <typename T>
[[gnu::noinline]] void weigh_plane(const ResizeLine& line) {
  const int32_t upper_weight = line.outer_weights[0], lower_weight = line.outer_weights[1];
  const uint32_t bits = line.fraction_bits;
  const int32_t half = int32_t{1} << (bits - 1);
  const size_t x_step = line.x_step, y_step = line.y_step;
  const T outside = static_cast<T>(line.outside);
  Src<int32_t> first = line.firsts;
  Src<int16_t> weights = line.weights;
  Src<T> upper = as<T>(line.x), lower = as<T>(line.x + line.x_outer);
  Dst<T> y = as<T>(line.y);
  for (uint32_t left = line.places; left != 0; --left, first += 1, weights += 2, y += y_step) {
    const int32_t column = *first;
    if (column < 0) {
      *y = outside;
      continue;
    }
    const size_t at = static_cast<uint32_t>(column) * x_step;
    const int32_t w0 = weights[0], w1 = weights[1];
    const int32_t of_upper = w0 * int32_t{upper[at]} + w1 * int32_t{upper[at + x_step]};
    const int32_t of_lower = w0 * int32_t{lower[at]} + w1 * int32_t{lower[at + x_step]};
    const int32_t sum = added_product(0, upper_weight, of_upper);
    *y = resized<T>(added_product(sum, lower_weight, of_lower), half, bits);
  }
}

// Computes places of a single channel, if there is a loop for them: what weighs channels would be
// prepared for one alone.
inline bool resize_plane(const ResizeLine& line) {
  if (line.channels != 1 || line.all_outside) return false;
  if (line.weights == nullptr) {
    move_plane(line);
    return true;
  }
  if (line.taps != 2 || line.outer_taps != 2) return false;
  line.is_unsigned ? weigh_plane<uint8_t>(line) : weigh_plane<int8_t>(line);
  return true;
}

// Calls weigh_place(line, taps, x, y) or move_place(x, y, count) for each place inside.
template <typename Weigh, typename Move>
[[gnu::always_inline]] inline void resize_places(const ResizeLine& line, const Weigh& weigh_place,
                                                 const Move& move_place) {
  if (resize_plane(line)) return;
  Src<int32_t> first = line.firsts;
  Src<int16_t> weights = line.weights;
  Dst<std::byte> y = line.y;
  for (uint32_t left = line.places; left != 0; --left, first += 1, y += line.y_step) {
    const int32_t column = *first;
    if (line.all_outside || column < 0) {
      Dst<std::byte> to = y;
      for (uint32_t i = line.channels; i != 0; --i, to += 1) *to = std::byte{line.outside};
    } else if (line.weights == nullptr) {
      move_place(line.x + static_cast<uint32_t>(column) * line.x_step, y, line.channels);
    } else {
      weigh_place(line, taps_of(line, weights),
                  line.x + static_cast<uint32_t>(column) * line.x_step, y);
    }
    if (line.weights != nullptr) weights += line.taps;
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
