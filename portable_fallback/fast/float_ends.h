// Makes sums that a tile has just stored what they are to be: while the L1 cache has them, and by
// code that all sizes of tiles share. A clip is done in registers instead.
#pragma once

#include "portable_fallback/fast/float_functions.h"
#include "portable_fallback/fast/float_products.h"

namespace arenite {
namespace {

inline bool ends_after_store(FloatEnd end) {
  return end != FloatEnd::kSum && end != FloatEnd::kClip;
}

[[gnu::always_inline]] inline Vector clipped(Vector sum, float low, float high) {
  return less_of(Vector{} + high, greater_of(Vector{} + low, sum));
}

[[gnu::always_inline]] inline HalfVector clipped_half(HalfVector sum, float low, float high) {
  const HalfVector above = sum < low ? HalfVector{} + low : sum;
  return above > high ? HalfVector{} + high : above;
}

// The sums of places, a step apart.
struct PlaceSums {
  float* y;
  size_t step;

  float* operator()(uint32_t i) const { return y + i * step; }
};

// Rows of whole vectors, and of a half one if `half`; row(r) points to the sums of one.
template <typename F, typename Row>
void end_rows_with(const Row& row, uint32_t rows, uint32_t vectors, bool half, float a, float b) {
  for (uint32_t r = 0; r < rows; ++r) {
    float* y = row(r);
    for (uint32_t v = 0; v < vectors; ++v, y += kLanes) store(y, F::of(load(y), a, b));
    if (!half) continue;
    float last[kLanes];
    store(last, F::of(load_first(y, kLanes / 2), a, b));
    store_half(y, load_half(last));
  }
}

template <typename Row>
[[gnu::noinline]] void end_rows(const FloatProducts& p, uint32_t rows, uint32_t vectors, bool half,
                                const Row& row) {
  switch (p.end) {
    case FloatEnd::kSum:
    case FloatEnd::kClip:
      return;
    case FloatEnd::kHardSigmoid:
      return end_rows_with<HardSigmoid>(row, rows, vectors, half, p.a, p.b);
    case FloatEnd::kSigmoid:
      return end_rows_with<Sigmoid>(row, rows, vectors, half, p.a, p.b);
    case FloatEnd::kHardSwish:
      return end_rows_with<HardSwish>(row, rows, vectors, half, p.a, p.b);
    case FloatEnd::kSwish:
      return end_rows_with<Swish>(row, rows, vectors, half, p.a, p.b);
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
