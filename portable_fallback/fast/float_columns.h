// Adds depthwise windows of neighboring places whose taps lie side by side: each vector of x is
// loaded once for all windows that have it.
//
// The columns of x below three places, here of three taps, one apart:
//
//     column   0 1 2 3 4
//     place 0  a b c
//     place 1    a b c
//     place 2      a b c
//
// Columns that lie outside of x are left out, so that places at the sides are computed with the
// others. Each sum adds its taps in their order; of groups of some channels, those of a line once
// for each channel, which a permutation brings to the lanes of its group.
#pragma once

#include <utility>

#include "portable_fallback/fast/float_ends.h"

namespace arenite {
namespace {

// Columns of x below so many places.
constexpr uint32_t columns_below(uint32_t places, uint32_t taps, uint32_t stride) {
  return (places - 1) * stride + taps;
}

// One vector of channels of some neighboring places. Of the columns below the places, [first, end)
// lie inside of x: all but some of the first and last taps - 1.
struct Columns {
  uint32_t channels;  // of a group; lanes have whole groups
  // The permutation that brings each channel to all lanes of its group, or to all that read it.
  const Words* to_groups;
  const float* x;   // at column `first` of the first line of taps
  size_t x_h, x_w;  // elements between lines of taps, and between columns
  uint32_t first, end;
  const float* w;
  size_t w_h, w_w, w_c;  // elements between lines of taps, taps, and channels of a group
  uint32_t lines;        // of taps
  const float* bias;
  const float* residual;  // null, or of the first place; y_place lies between places
  float* y;
  size_t y_place;
  const FloatProducts* sums;  // says what they are stored as
};

// Keeps a vector in a register: GCC 12 would load it once more for each of its products.
[[gnu::always_inline]] inline Vector in_register(Vector v) {
#if defined(__x86_64__)
  asm("" : "+v"(v));
#elif defined(__aarch64__)
  asm("" : "+w"(v));
#endif
  return v;
}

// Adds a column to the place for which it is this tap, if there is one.
template <uint32_t kColumn, uint32_t kTap, uint32_t kStride, uint32_t kPlaces>
[[gnu::always_inline]] inline void add_tap(Vector x, Vector weights, Vector (&sums)[kPlaces]) {
  if constexpr (kColumn >= kTap && (kColumn - kTap) % kStride == 0) {
    constexpr uint32_t kPlace = (kColumn - kTap) / kStride;
    if constexpr (kPlace < kPlaces) sums[kPlace] += x * weights;
  }
}

template <uint32_t kColumn, uint32_t kStride, uint32_t kPlaces, uint32_t kTaps, uint32_t... kTap>
[[gnu::always_inline]] inline void add_column(Vector x, const Vector (&weights)[kTaps],
                                              Vector (&sums)[kPlaces],
                                              std::integer_sequence<uint32_t, kTap...>) {
  (add_tap<kColumn, kTap, kStride>(x, weights[kTap], sums), ...);
}

// Adds the columns of a line of taps. Loops that compilers may leave rolled would keep sums in
// memory.
template <uint32_t kStride, uint32_t kPlaces, uint32_t kTaps, typename ToLanes, uint32_t... kColumn>
[[gnu::always_inline]] inline void add_line(const Columns& columns, const float* x,
                                            const Vector (&weights)[kTaps], Vector (&sums)[kPlaces],
                                            const ToLanes& to_lanes,
                                            std::integer_sequence<uint32_t, kColumn...>) {
  const uint32_t first = columns.first, end = columns.end;
  const size_t x_w = columns.x_w;
  const auto add = [&](auto column) __attribute__((always_inline)) {
    constexpr uint32_t kAt = decltype(column)::value;
    if (kAt < kTaps - 1 && kAt < first) return true;
    if (kAt > sizeof...(kColumn) - kTaps && kAt >= end) return false;
    add_column<kAt, kStride>(in_register(to_lanes(load(x))), weights, sums,
                             std::make_integer_sequence<uint32_t, kTaps>());
    x += x_w;
    return true;
  };
  (add(std::integral_constant<uint32_t, kColumn>()) && ...);
}

template <uint32_t kPlaces, uint32_t kTaps, uint32_t kStride, bool kGrouped>
[[gnu::noinline]] void add_columns(const Columns& columns) {
  constexpr uint32_t kColumns = columns_below(kPlaces, kTaps, kStride);
  Vector sums[kPlaces];
  const Vector start = columns.bias != nullptr ? load(columns.bias) : Vector{};
#pragma GCC unroll 16
  for (uint32_t i = 0; i < kPlaces; ++i) sums[i] = start;
  if (columns.residual != nullptr) {
#pragma GCC unroll 16
    for (uint32_t i = 0; i < kPlaces; ++i) sums[i] += load(columns.residual + i * columns.y_place);
  }
  for (uint32_t h = 0; h < columns.lines; ++h) {
    const float* x = columns.x + h * columns.x_h;
    const float* w = columns.w + h * columns.w_h;
    const auto add_channel = [&](const auto& to_lanes) __attribute__((always_inline)) {
      Vector weights[kTaps];
#pragma GCC unroll 16
      for (uint32_t t = 0; t < kTaps; ++t) weights[t] = load(w + t * columns.w_w);
      add_line<kStride>(columns, x, weights, sums, to_lanes,
                        std::make_integer_sequence<uint32_t, kColumns>());
    };
    if constexpr (kGrouped) {
      for (uint32_t c = 0; c < columns.channels; ++c, w += columns.w_c) {
        const Words to_group = columns.to_groups[c];
        add_channel([&](Vector v) __attribute__((always_inline)) { return permuted(v, to_group); });
      }
    } else {
      add_channel([](Vector v) __attribute__((always_inline)) { return v; });
    }
  }
  const FloatProducts& p = *columns.sums;
  const bool clips = p.end == FloatEnd::kClip;
  const float low = p.a, high = p.b;
  float* const y = columns.y;
  const size_t y_place = columns.y_place;
#pragma GCC unroll 16
  for (uint32_t i = 0; i < kPlaces; ++i) {
    store(y + i * y_place, clips ? clipped(sums[i], low, high) : sums[i]);
  }
  if (ends_after_store(p.end)) {
    end_rows(p, kPlaces, 1, false, PlaceSums{y, y_place});
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
