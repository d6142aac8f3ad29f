// Computes a line of places of a resized image of integers of 8 or 16 bits, the channels of a place
// one after the other:
//
//   x    the first line that the places read, and from there on outer_taps lines
//   y    = sum of outer_weights[a] * weights[b] * x[a][first + b] / 2^fraction_bits
//
// Sums wrap in 32 bits, of 16-bit integers in 64; halves go away from zero.
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
  uint16_t outside;                // its low bits
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

// Sums of elements of type T, and their results: negative sums are one lower, so that halves go
// away from zero.
template <typename T>
struct ResizeSum {
  static_assert(sizeof(T) == 1);
  using Type = int32_t;
  static int32_t added_product(int32_t sum, int32_t a, int32_t b) {
    return static_cast<int32_t>(static_cast<uint32_t>(sum) +
                                static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
  }
  [[gnu::always_inline]] static T resized(int32_t sum, uint32_t bits) {
    const int32_t half = int32_t{1} << (bits - 1);
    const int32_t number = (dsp::saturated_sum(sum, half) + (sum >> 31)) >> bits;
    return static_cast<T>(std::is_unsigned_v<T> ? dsp::saturated_uint8(number)
                                                : dsp::saturated_8(number));
  }
};

// Factors are below 2^30 and elements below 2^15, so that sums of all taps stay far from 64 bits.
template <>
struct ResizeSum<int16_t> {
  using Type = int64_t;
  static int64_t added_product(int64_t sum, int32_t a, int32_t b) { return sum + int64_t{a} * b; }
  [[gnu::always_inline]] static int16_t resized(int64_t sum, uint32_t bits) {
    const int64_t half = int64_t{1} << (bits - 1);
    const int64_t number = (sum + half + (sum >> 63)) >> bits;
    const int64_t raised = number < INT16_MIN ? INT16_MIN : number;
    return static_cast<int16_t>(raised > INT16_MAX ? INT16_MAX : raised);
  }
};

// Two columns of two lines, which are most of all resizes.
template <typename T>
void weigh_four(const ResizeLine& line, const ResizeTaps& taps, Src<std::byte> x,
                Dst<std::byte> y) {
  using By = ResizeSum<T>;
  const int32_t f0 = taps.factors[0], f1 = taps.factors[1];
  const int32_t f2 = taps.factors[2], f3 = taps.factors[3];
  Src<T> x0 = as<T>(x), x1 = as<T>(x + taps.offsets[1]);
  Src<T> x2 = as<T>(x + taps.offsets[2]), x3 = as<T>(x + taps.offsets[3]);
  const uint32_t bits = line.fraction_bits;
  Dst<T> to = as<T>(y);
  for (uint32_t left = line.channels; left != 0; --left) {
    typename By::Type sum = By::added_product(0, f0, int32_t{*x0});
    sum = By::added_product(sum, f1, int32_t{*x1});
    sum = By::added_product(sum, f2, int32_t{*x2});
    sum = By::added_product(sum, f3, int32_t{*x3});
    *to = By::resized(sum, bits);
    x0 += 1, x1 += 1, x2 += 1, x3 += 1, to += 1;
  }
}

template <typename T>
void weigh_any(const ResizeLine& line, const ResizeTaps& taps, Src<std::byte> x, Dst<std::byte> y) {
  using By = ResizeSum<T>;
  const uint32_t bits = line.fraction_bits;
  Dst<T> to = as<T>(y);
  for (uint32_t left = line.channels; left != 0; --left, x += sizeof(T), to += 1) {
    typename By::Type sum = 0;
    for (uint32_t t = 0; t < taps.count; ++t) {
      sum = By::added_product(sum, taps.factors[t], int32_t{*as<T>(x + taps.offsets[t])});
    }
    *to = By::resized(sum, bits);
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

// T: an unsigned type of an element's size.
template <typename T>
void move_each(Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  Src<T> from = as<T>(x);
  Dst<T> to = as<T>(y);
  for (; count != 0; --count, from += 1, to += 1) *to = *from;
}

// The places of planes, which have a single channel each.
template <typename T>
[[gnu::noinline]] void move_plane(const ResizeLine& line) {
  Src<int32_t> first = line.firsts;
  Src<std::byte> x = line.x;
  Dst<std::byte> y = line.y;
  const size_t x_step = line.x_step, y_step = line.y_step;
  const auto outside = static_cast<T>(line.outside);
  for (uint32_t left = line.places; left != 0; --left, first += 1, y += y_step) {
    const int32_t column = *first;
    if (column < 0) {
      *as<T>(y) = outside;
    } else {
      const T moved = *as<T>(x + static_cast<uint32_t>(column) * x_step);
      *as<T>(y) = moved;
    }
  }
}

// The same of two columns of two lines each. The products of bytes and weights of a line, which
// have 25 bits, are added up first, which wraps alike.
template <typename T>
[[gnu::noinline]] void weigh_plane(const ResizeLine& line) {
  using By = ResizeSum<T>;
  const int32_t upper_weight = line.outer_weights[0], lower_weight = line.outer_weights[1];
  const uint32_t bits = line.fraction_bits;
  const size_t x_step = line.x_step, y_step = line.y_step;
  const T outside = static_cast<T>(line.outside);
  Src<int32_t> first = line.firsts;
  Src<int16_t> weights = line.weights;
  Src<std::byte> upper = line.x, lower = line.x + line.x_outer;
  Dst<std::byte> y = line.y;
  for (uint32_t left = line.places; left != 0; --left, first += 1, weights += 2, y += y_step) {
    const int32_t column = *first;
    if (column < 0) {
      *as<T>(y) = outside;
      continue;
    }
    const size_t at = static_cast<uint32_t>(column) * x_step;
    const int32_t w0 = weights[0], w1 = weights[1];
    const int32_t a = *as<T>(upper + at), b = *as<T>(upper + at + x_step);
    const int32_t c = *as<T>(lower + at), d = *as<T>(lower + at + x_step);
    typename By::Type sum;
    if constexpr (sizeof(T) == 1) {
      sum = By::added_product(0, upper_weight, w0 * a + w1 * b);
      sum = By::added_product(sum, lower_weight, w0 * c + w1 * d);
    } else {
      sum = By::added_product(0, upper_weight * w0, a);
      sum = By::added_product(sum, upper_weight * w1, b);
      sum = By::added_product(sum, lower_weight * w0, c);
      sum = By::added_product(sum, lower_weight * w1, d);
    }
    *as<T>(y) = By::resized(sum, bits);
  }
}

// Computes places of a single channel, if there is a loop for them: what weighs channels would be
// prepared for one alone.
template <typename T>
bool resize_plane(const ResizeLine& line) {
  if (line.channels != 1 || line.all_outside) return false;
  if (line.weights == nullptr) {
    move_plane<T>(line);
    return true;
  }
  if (line.taps != 2 || line.outer_taps != 2) return false;
  if constexpr (sizeof(T) == 2) {
    weigh_plane<int16_t>(line);
  } else {
    line.is_unsigned ? weigh_plane<uint8_t>(line) : weigh_plane<int8_t>(line);
  }
  return true;
}

// Calls weigh_place(line, taps, x, y) or move_place(x, y, count) for each place inside. T: an
// unsigned type of an element's size.
template <typename T, typename Weigh, typename Move>
[[gnu::always_inline]] inline void resize_places(const ResizeLine& line, const Weigh& weigh_place,
                                                 const Move& move_place) {
  if (resize_plane<T>(line)) return;
  Src<int32_t> first = line.firsts;
  Src<int16_t> weights = line.weights;
  Dst<std::byte> y = line.y;
  for (uint32_t left = line.places; left != 0; --left, first += 1, y += line.y_step) {
    const int32_t column = *first;
    if (line.all_outside || column < 0) {
      Dst<T> to = as<T>(y);
      for (uint32_t i = line.channels; i != 0; --i, to += 1) *to = static_cast<T>(line.outside);
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
