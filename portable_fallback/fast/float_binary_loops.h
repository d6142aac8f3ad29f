// Functions of two floats, neighbors in a vector; compiled for each instruction set like
// float_tiles.h. Each result is rounded once, so what fills no vector is computed one by one.
#pragma once

#include "portable_fallback/fast/float_binary.h"
#include "portable_fallback/fast/float_vectors.h"

namespace arenite {
namespace {

struct Sum {
  template <typename V>
  static V of(V a, V b) {
    return a + b;
  }
};
struct Difference {
  template <typename V>
  static V of(V a, V b) {
    return a - b;
  }
};
struct Product {
  template <typename V>
  static V of(V a, V b) {
    return a * b;
  }
};
struct Quotient {
  template <typename V>
  static V of(V a, V b) {
    return a / b;
  }
};

struct Greater {
  template <typename V>
  static V of(V a, V b) {
    const V greater = b > a ? b : a;
    return b != b ? b : greater;
  }
};
struct Smaller {
  template <typename V>
  static V of(V a, V b) {
    const V smaller = b < a ? b : a;
    return b != b ? b : smaller;
  }
};
struct Slope {
  template <typename V>
  static V of(V a, V b) {
    const V below = a * b;
    return a < V{} ? below : a;
  }
};

template <bool kClips, typename V>
[[gnu::always_inline]] inline V clipped(V result, float low, float high) {
  if constexpr (kClips) {
    result = result < low ? V{} + low : result;
    result = result > high ? V{} + high : result;
  }
  return result;
}

template <typename F, bool kOneB, bool kClips>
void combine_rows(const FloatBinaryRun& run) {
  constexpr uint32_t kPiece = kFloatBinaryPiece;
  const float low = run.low, high = run.high;
  const uint32_t count = run.count;
  Src<float> a = run.a;
  Src<float> b = run.b;
  Dst<float> y = run.y;
  for (uint32_t left = run.rows; left != 0; --left) {
    const float one = kOneB ? static_cast<float>(*b) : 0.0f;
    float results[kPiece];
    uint32_t i = 0;
    for (; count - i >= kPiece; i += kPiece) {
      const float* of_a = a + i;
      const float* of_b = kOneB ? nullptr : b + i;
#pragma GCC unroll 16
      for (uint32_t j = 0; j < kPiece; j += kLanes) {
        const Vector other = kOneB ? Vector{} + one : load(of_b + j);
        store(results + j, clipped<kClips>(F::of(load(of_a + j), other), low, high));
      }
      put(y + i, results, kPiece);
    }
    for (uint32_t j = i; j < count; ++j) {
      const float other = kOneB ? one : static_cast<float>(b[j]);
      results[j - i] = clipped<kClips>(F::of(static_cast<float>(a[j]), other), low, high);
    }
    put(y + i, results, count - i);
    a += run.a_row;
    b += run.b_row;
    y += run.y_row;
  }
}

template <typename F>
void combine_by(const FloatBinaryRun& run) {
  if (run.one_b)
    return run.clips ? combine_rows<F, true, true>(run) : combine_rows<F, true, false>(run);
  return run.clips ? combine_rows<F, false, true>(run) : combine_rows<F, false, false>(run);
}

inline void combine(FloatBinary function, const FloatBinaryRun& run) {
  switch (function) {
    case FloatBinary::kAdd:
      return combine_by<Sum>(run);
    case FloatBinary::kSub:
      return combine_by<Difference>(run);
    case FloatBinary::kMul:
      return combine_by<Product>(run);
    case FloatBinary::kDiv:
      return combine_by<Quotient>(run);
    case FloatBinary::kMax:
      return combine_by<Greater>(run);
    case FloatBinary::kMin:
      return combine_by<Smaller>(run);
    case FloatBinary::kSlope:
      return combine_by<Slope>(run);
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
