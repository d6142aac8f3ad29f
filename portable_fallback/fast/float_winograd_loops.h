// The transforms of Winograd convolutions by vectors of channels or columns, compiled for each
// instruction set by a file that says how wide its vectors are.
#pragma once

#include "portable_fallback/fast/float_ends.h"
#include "portable_fallback/fast/float_vectors.h"
#include "portable_fallback/fast/float_winograd.h"

namespace arenite {
namespace {

// No sum below is of two products: which of them a compiler would fuse with the sum may depend on
// the code around.
constexpr float kRootOfHalf = 0.70710678118654752f;
constexpr float kRootOfTwo = 1.41421356237309505f;

// A line of 6 inputs, `step` vectors apart.
[[gnu::always_inline]] inline void transform_input(Vector* d, uint32_t step) {
  const Vector d0 = d[0], d1 = d[step], d2 = d[2 * step];
  const Vector d3 = d[3 * step], d4 = d[4 * step], d5 = d[5 * step];
  const Vector even = d4 - 2.0f * d2;
  const Vector odd = d3 - 2.0f * d1;
  const Vector even2 = d4 - 0.5f * d2;
  const Vector odd2 = d3 - 0.5f * d1;
  d[0] = (d4 + d0) - 2.5f * d2;
  d[step] = even + kRootOfHalf * odd;
  d[2 * step] = even - kRootOfHalf * odd;
  d[3 * step] = even2 + kRootOfTwo * odd2;
  d[4 * step] = even2 - kRootOfTwo * odd2;
  d[5 * step] = (d5 + d1) - 2.5f * d3;
}

// A line of 3 weights to 6.
[[gnu::always_inline]] inline void transform_weight(const Vector& g0, const Vector& g1,
                                                    const Vector& g2, Vector* u, uint32_t step) {
  const Vector even = g0 + 0.5f * g2;
  const Vector even2 = g0 + 2.0f * g2;
  u[0] = g0;
  u[step] = even + kRootOfHalf * g1;
  u[2 * step] = even - kRootOfHalf * g1;
  u[3 * step] = even2 + kRootOfTwo * g1;
  u[4 * step] = even2 - kRootOfTwo * g1;
  u[5 * step] = g2;
}

// A line of 6 sums to 4 results, with the factors -2/3 and 1/6 of the transformed weights.
[[gnu::always_inline]] inline void transform_sum(const Vector* m, uint32_t step, Vector* y) {
  const Vector even = m[step] + m[2 * step];
  const Vector odd = m[step] - m[2 * step];
  const Vector even2 = m[3 * step] + m[4 * step];
  const Vector odd2 = m[3 * step] - m[4 * step];
  y[0] = (m[0] - even * (2.0f / 3)) + even2 * (1.0f / 6);
  y[1] = (odd - 0.5f * odd2) * (kRootOfHalf * -2 / 3);
  y[2] = (even2 - even) * (1.0f / 3);
  y[3] = (m[5 * step] - odd * (kRootOfHalf / 3)) + odd2 * (kRootOfTwo / 3);
}

constexpr uint32_t kIn = kWinogradInputs;
constexpr uint32_t kOut = kWinogradOutputs;

struct TilePlace {
  uint32_t h, w;      // of its first place
  int32_t top, left;  // of its first input
  bool inside;        // all its inputs are x's
};

inline TilePlace tile_place(const FloatWinograd& conv, uint32_t tile) {
  const FloatProducts& p = conv.p;
  TilePlace place = {tile / conv.tiles_w * kOut, tile % conv.tiles_w * kOut, 0, 0, false};
  place.top = static_cast<int32_t>(place.h) - static_cast<int32_t>(p.pad_h);
  place.left = static_cast<int32_t>(place.w) - static_cast<int32_t>(p.pad_w);
  place.inside = place.top >= 0 && place.left >= 0 &&
                 static_cast<uint32_t>(place.top) + kIn <= p.in_h &&
                 static_cast<uint32_t>(place.left) + kIn <= p.in_w;
  return place;
}

// Transforms kLanes channels of a tile: load(h, w) gives an input.
template <typename F>
[[gnu::always_inline]] inline void transform_tile(const F& load, float* to, size_t between) {
  Vector d[kIn * kIn];
#pragma GCC unroll 6
  for (uint32_t w = 0; w < kIn; ++w) {
#pragma GCC unroll 6
    for (uint32_t h = 0; h < kIn; ++h) d[h * kIn + w] = load(h, w);
    transform_input(d + w, kIn);
  }
#pragma GCC unroll 6
  for (uint32_t h = 0; h < kIn; ++h) {
    transform_input(d + h * kIn, 1);
#pragma GCC unroll 6
    for (uint32_t w = 0; w < kIn; ++w) store(to + (h * kIn + w) * between, d[h * kIn + w]);
  }
}

void transform_inputs(const FloatWinograd& conv, uint32_t first, uint32_t end,
                      const WinogradMatrices& v) {
  const FloatProducts& p = conv.p;
  for (uint32_t tile = first; tile < end; ++tile) {
    const TilePlace place = tile_place(conv, tile);
    float* to = v.data + (tile - first) * v.row;
    // No pointer is made to a place outside of x.
    const ptrdiff_t corner =
        place.top * static_cast<ptrdiff_t>(p.x_h) + place.left * static_cast<ptrdiff_t>(p.x_w);
    for (uint32_t c = 0; c < p.channels; c += kLanes) {
      const uint32_t count = p.channels - c;
      if (place.inside && count >= kLanes) {
        const float* from = p.x + corner + c;
        transform_tile([&](uint32_t h, uint32_t w) { return load(from + h * p.x_h + w * p.x_w); },
                       to + c, v.between);
        continue;
      }
      const auto load_inside = [&](uint32_t h, uint32_t w) {
        const auto at_h = static_cast<uint32_t>(place.top + static_cast<int32_t>(h));
        const auto at_w = static_cast<uint32_t>(place.left + static_cast<int32_t>(w));
        if (at_h >= p.in_h || at_w >= p.in_w) return Vector{};
        const float* from = p.x + at_h * p.x_h + at_w * p.x_w + c;
        return count >= kLanes ? load(from) : load_first(from, count);
      };
      transform_tile(load_inside, to + c, v.between);
    }
  }
}

// Weights of the columns of a vector, of which there are `count`. kPanels: they lie side by side.
template <bool kPanels, typename W>
[[gnu::always_inline]] inline Vector load_weights(const W* from, size_t w_n, uint32_t count) {
  if constexpr (kPanels) return load(from);
  Vector v = {};
  for (uint32_t i = 0; i < kLanes && i < count; ++i) v[i] = widened(from[i * w_n]);
  return v;
}

// Transforms the weights of a vector of columns.
template <bool kPanels, typename W>
[[gnu::always_inline]] inline void transform_filters(const FloatProducts& p, const W* taps,
                                                     uint32_t count, float* to, size_t between) {
  const size_t to_tap = p.channels * p.w_k;
  Vector g[3 * kIn];
#pragma GCC unroll 3
  for (uint32_t w = 0; w < 3; ++w) {
    Vector line[3];
#pragma GCC unroll 3
    for (uint32_t h = 0; h < 3; ++h) {
      line[h] = load_weights<kPanels>(taps + (h * 3 + w) * to_tap, p.w_n, count);
    }
    transform_weight(line[0], line[1], line[2], g + w, 3);
  }
#pragma GCC unroll 6
  for (uint32_t h = 0; h < kIn; ++h) {
    Vector line[kIn];
    transform_weight(g[h * 3], g[h * 3 + 1], g[h * 3 + 2], line, 1);
#pragma GCC unroll 6
    for (uint32_t w = 0; w < kIn; ++w) store(to + (h * kIn + w) * between, line[w]);
  }
}

// Asks for the weights of a channel ahead: between two calls a core reads far apart, where it
// foresees nothing.
template <typename W>
[[gnu::always_inline]] inline void ask_for_weights(const FloatProducts& p, const W* taps) {
  for (uint32_t tap = 0; tap < 9; ++tap) __builtin_prefetch(taps + tap * p.channels * p.w_k);
}

template <bool kPanels, typename W>
void transform_panels(const FloatProducts& p, const WinogradStrip& strip,
                      const WinogradMatrices& u) {
  const uint32_t ahead = strip.channel + strip.channels;
  for (uint32_t first = 0; first < strip.columns; first += kProductColumns) {
    float* to = u.data + size_t{first} * strip.channels;
    const uint32_t columns = strip.columns - first;
    const W* panel =
        static_cast<const W*>(p.w) + (strip.column + first) / kProductColumns * p.w_panel;
    for (uint32_t c = 0; c < strip.channels; ++c, to += u.row) {
      const W* from = panel + (strip.channel + c) * p.w_k;
      if (kPanels && ahead + c < p.channels) ask_for_weights(p, panel + (ahead + c) * p.w_k);
      for (uint32_t lane = 0; lane < kProductColumns; lane += kLanes) {
        const uint32_t count = lane < columns ? columns - lane : 0;
        const W* taps = from + (count != 0 ? lane * p.w_n : 0);
        transform_filters<kPanels>(p, taps, count, to + lane, u.between);
      }
    }
  }
}

template <typename W>
void transform_weights_of(const FloatProducts& p, const WinogradStrip& strip,
                          const WinogradMatrices& u) {
  // Not by what the strip has: other code may round otherwise, and strips depend on threads.
  if (p.padded || (p.w_n == 1 && p.columns % kProductColumns == 0)) {
    transform_panels<true, W>(p, strip, u);
  } else {
    transform_panels<false, W>(p, strip, u);
  }
}

void transform_weights(const FloatWinograd& conv, const WinogradStrip& strip,
                       const WinogradMatrices& u) {
  switch (conv.p.w_type) {
    case WeightType::kFloat32:
      return transform_weights_of<float>(conv.p, strip, u);
    case WeightType::kFloat16:
      return transform_weights_of<Float16>(conv.p, strip, u);
    case WeightType::kBfloat16:
      return transform_weights_of<Bfloat16>(conv.p, strip, u);
  }
}

// Computes a panel of a tile's results, [place][kProductColumns], but for their end; whether all
// are finite.
inline bool transform_panel(const float* m, size_t between, const float* bias, float* results) {
  Vector zeros = {};
  for (uint32_t lane = 0; lane < kProductColumns; lane += kLanes) {
    Vector lines[kOut * kIn];
#pragma GCC unroll 6
    for (uint32_t w = 0; w < kIn; ++w) {
      Vector sums[kIn];
#pragma GCC unroll 6
      for (uint32_t h = 0; h < kIn; ++h) sums[h] = load(m + lane + (h * kIn + w) * between);
      Vector y[kOut];
      transform_sum(sums, 1, y);
#pragma GCC unroll 4
      for (uint32_t h = 0; h < kOut; ++h) lines[h * kIn + w] = y[h];
    }
    const Vector start = load(bias + lane);
#pragma GCC unroll 4
    for (uint32_t h = 0; h < kOut; ++h) {
      Vector y[kOut];
      transform_sum(lines + h * kIn, 1, y);
#pragma GCC unroll 4
      for (uint32_t w = 0; w < kOut; ++w) {
        const Vector result = y[w] + start;
        zeros += result * 0.0f;
        store(results + (h * kOut + w) * kProductColumns + lane, result);
      }
    }
  }
  float sum = 0;
  for (uint32_t i = 0; i < kLanes; ++i) sum += zeros[i];
  return sum == 0;
}

// Makes results what they are to be.
inline void end_results(const FloatProducts& p, float* results) {
  constexpr uint32_t kResults = kOut * kOut * kProductColumns;
  if (p.end == FloatEnd::kClip) {
    for (uint32_t i = 0; i < kResults; i += kLanes) {
      store(results + i, clipped(load(results + i), p.a, p.b));
    }
  } else if (p.end != FloatEnd::kSum) {
    end_rows(p, 1, kResults / kLanes, false, [&](uint32_t) { return results; });
  }
}

// Calls visit(result, y) for the results of a tile's places that y has, from `column` on.
template <typename F>
[[gnu::always_inline]] inline void for_places(const FloatWinograd& conv, uint32_t tile,
                                              uint32_t column, float* results, const F& visit) {
  const FloatProducts& p = conv.p;
  const TilePlace place = tile_place(conv, tile);
  float* y = p.y + place.h * p.y_h + place.w * p.y_w + column;
  for (uint32_t h = 0; h < kOut && place.h + h < conv.out_h; ++h) {
    for (uint32_t w = 0; w < kOut && place.w + w < p.out_w; ++w) {
      visit(results + (h * kOut + w) * kProductColumns, y + h * p.y_h + w * p.y_w);
    }
  }
}

inline void add_residual(const float* residual, uint32_t count, float* results) {
  uint32_t j = 0;
  for (; j + kLanes <= count; j += kLanes)
    store(results + j, load(results + j) + load(residual + j));
  for (; j < count; ++j) results[j] += residual[j];
}

inline void store_results(const float* results, uint32_t count, float* y) {
  uint32_t j = 0;
  for (; j + kLanes <= count; j += kLanes) store(y + j, load(results + j));
  for (; j < count; ++j) y[j] = results[j];
}

uint32_t transform_sums(const FloatWinograd& conv, uint32_t first, uint32_t end,
                        const WinogradStrip& strip, const WinogradMatrices& m) {
  const FloatProducts& p = conv.p;
  float bias[kProductColumns] = {};
  for (uint32_t j = 0; j < strip.columns && p.bias != nullptr; ++j) {
    bias[j] = p.bias[strip.column + j];
  }
  uint32_t left_out = 0;
  for (uint32_t tile = first; tile < end; ++tile) {
    float results[kOut * kOut * kProductColumns];
    const float* sums = m.data + (tile - first) * m.row;
    if (!transform_panel(sums, m.between, bias, results)) {
      left_out |= 1u << (tile - first);
      continue;
    }
    const auto visit = [&](const auto& each) {
      for_places(conv, tile, strip.column, results, each);
    };
    if (p.residual != nullptr) {
      visit([&](float* from, float* y) {
        add_residual(p.residual + (y - p.y), strip.columns, from);
      });
    }
    end_results(p, results);
    visit([&](float* from, float* y) { store_results(from, strip.columns, y); });
  }
  return left_out;
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
