// Functions of single floats, neighbors in a vector; compiled for each instruction set like
// float_tiles.h. Each element takes the same instructions, wherever a range begins: what fills no
// piece is computed in a copy of one.
#pragma once

#include "portable_fallback/fast/float_map.h"
#include "portable_fallback/fast/float_vectors.h"

namespace arenite {
namespace {

// e^x by the steps of exp_f32 (portable_fallback/shared/math.h).
[[gnu::always_inline]] inline Vector exp_of(Vector x) {
  Vector limited = x > 89.0f ? Vector{} + 89.0f : x;
  limited = limited < -104.0f ? Vector{} - 104.0f : limited;
  constexpr float kRounder = 12582912.0f;
  const Vector shifted = limited * 1.44269504088896341f + kRounder;
  const Vector n = shifted - kRounder;
  Vector r = limited - n * 0.693359375f;
  r = r - n * -2.12194440e-4f;
  Vector p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = (p * (r * r) + r) + 1.0f;
  const Words steps = __builtin_bit_cast(Words, shifted) - __builtin_bit_cast(uint32_t, kRounder);
  const Words half = ((steps + 256u) >> 1) - 128u;
  const auto scale0 = __builtin_bit_cast(Vector, (half + 127u) << 23);
  const auto scale1 = __builtin_bit_cast(Vector, (steps - half + 127u) << 23);
  return p * scale0 * scale1;
}

// NaN passes through all of them.
struct Sigmoid {
  [[gnu::always_inline]] static Vector of(Vector x, float, float) {
    return 1.0f / (1.0f + exp_of(-x));
  }
};

struct HardSigmoid {
  [[gnu::always_inline]] static Vector of(Vector x, float alpha, float beta) {
    const Vector v = x * alpha + beta;
    const Vector low = v > 1.0f ? Vector{} + 1.0f : v;
    return low < 0.0f ? Vector{} : low;
  }
};

struct HardSwish {
  [[gnu::always_inline]] static Vector of(Vector x, float alpha, float beta) {
    return x * HardSigmoid::of(x, alpha, beta);
  }
};

struct Swish {
  [[gnu::always_inline]] static Vector of(Vector x, float alpha, float) {
    return x / (1.0f + exp_of(-(x * alpha)));
  }
};

struct LeakyRelu {
  [[gnu::always_inline]] static Vector of(Vector x, float alpha, float) {
    return x < 0.0f ? x * alpha : x;
  }
};

template <typename F>
void map_floats(const FloatMapRun& run) {
  constexpr uint32_t kPiece = kFloatMapPiece;
  const float alpha = run.alpha;
  const float beta = run.beta;
  float few[kPiece] = {};
  for (uint32_t i = 0; i < run.count; i += kPiece) {
    const uint32_t left = run.count - i;
    const float* from = few;
    if (left < kPiece) {
      take(few, run.x + i, left);
    } else {
      from = read_range(run.x + i, kPiece);
    }
    float results[kPiece];
#pragma GCC unroll 16
    for (uint32_t j = 0; j < kPiece; j += kLanes) {
      store(results + j, F::of(load(from + j), alpha, beta));
    }
    if (left < kPiece) {
      put(run.y + i, results, left);
    } else {
      put(run.y + i, results, kPiece);
    }
  }
}

inline void map_with(FloatMap map, const FloatMapRun& run) {
  switch (map) {
    case FloatMap::kSigmoid:
      return map_floats<Sigmoid>(run);
    case FloatMap::kHardSigmoid:
      return map_floats<HardSigmoid>(run);
    case FloatMap::kHardSwish:
      return map_floats<HardSwish>(run);
    case FloatMap::kSwish:
      return map_floats<Swish>(run);
    case FloatMap::kLeakyRelu:
      return map_floats<LeakyRelu>(run);
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
