// Compiles resized lines for SSE2 or NEON. Sums of lines take vectors of neighbors; the columns of
// a place are loaded one by one, which takes as long as instructions that gather them.
#include "portable_fallback/fast/float_resize_base_kernel.h"

#if defined(__SSE2__) || defined(__aarch64__)

#define ARENITE_VECTOR_BYTES 16
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/float_vectors.h"

namespace arenite {
namespace {

// sums[i] = by * from[i], or the sum of it and sums[i].
template <bool kAdds>
void add_line(const FloatResizeLine& line, const float* from, float by) {
  float* sums = line.sums;
  const size_t step = line.x_column;
  uint32_t i = 0;
  for (; step == 1 && i + kLanes <= line.columns; i += kLanes) {
    const Vector product = load(from + i) * by;
    store(sums + i, kAdds ? load(sums + i) + product : product);
  }
  for (; i < line.columns; ++i) sums[i] = (kAdds ? sums[i] : 0.0f) + from[i * step] * by;
}

void add_two_lines(const FloatResizeLine& line, float by_first, float by_second) {
  const float* a = line.x;
  const float* b = line.x + line.x_outer[1];
  const size_t step = line.x_column;
  uint32_t i = 0;
  for (; step == 1 && i + kLanes <= line.columns; i += kLanes) {
    store(line.sums + i, load(a + i) * by_first + load(b + i) * by_second);
  }
  for (; i < line.columns; ++i) line.sums[i] = a[i * step] * by_first + b[i * step] * by_second;
}

void add_lines(const FloatResizeLine& line) {
  const auto weight = [&](uint32_t axis, uint32_t tap) {
    return line.outer_weights[axis] == nullptr ? 1.0f : line.outer_weights[axis][tap];
  };
  if (line.outer_taps[0] == 1 && line.outer_taps[1] == 2) {
    const float all = weight(0, 0);
    return add_two_lines(line, all * weight(1, 0), all * weight(1, 1));
  }
  bool first = true;
  for (uint32_t a = 0; a < line.outer_taps[0]; ++a) {
    for (uint32_t b = 0; b < line.outer_taps[1]; ++b) {
      const float* from = line.x + a * line.x_outer[0] + b * line.x_outer[1];
      const float by = weight(0, a) * weight(1, b);
      first ? add_line<false>(line, from, by) : add_line<true>(line, from, by);
      first = false;
    }
  }
}

void move_columns(const FloatResizeLine& line) {
  for (uint32_t i = 0; i < line.places; ++i) {
    const int32_t first = line.firsts[i];
    line.y[i] = first < 0 ? line.outside : line.x[static_cast<uint32_t>(first) * line.x_column];
  }
}

// kTaps: 0, any number of them.
template <uint32_t kTaps>
void weigh_columns(const FloatResizeLine& line) {
  const uint32_t taps = kTaps == 0 ? line.taps : kTaps;
  const float* weights = line.weights;
  for (uint32_t i = 0; i < line.places; ++i, weights += taps) {
    const int32_t first = line.firsts[i];
    if (first < 0) {
      line.y[i] = line.outside;
      continue;
    }
    const float* from = line.sums + first;
    float sum = 0;
    for (uint32_t t = 0; t < taps; ++t) sum += from[t] * weights[t];
    line.y[i] = sum;
  }
}

}  // namespace

void float_resize_base(const FloatResizeLine& line) {
  if (line.weights == nullptr) return move_columns(line);
  add_lines(line);
  switch (line.taps) {
    case 1:
      return weigh_columns<1>(line);
    case 2:
      return weigh_columns<2>(line);
    case 4:
      return weigh_columns<4>(line);
    default:
      return weigh_columns<0>(line);
  }
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0
