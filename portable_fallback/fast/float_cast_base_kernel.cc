// Compiles casts to float32 for SSE2 or NEON: pieces of neighbors, of which the compiler makes
// vectors.
#include "portable_fallback/fast/float_cast_base_kernel.h"

#include <cstring>

#if defined(__SSE2__) || defined(__aarch64__)

#define ARENITE_VECTOR_BYTES 16
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/float_vectors.h"

namespace arenite {
namespace {

constexpr uint32_t kPiece = kFloatCastPiece;

// Numbers of a type T that GCC and Clang have vectors of.
template <typename T>
struct Whole {
  using Stored = T;
  typedef T Numbers
      __attribute__((vector_size(kPiece * sizeof(T)), aligned(alignof(T)), may_alias));
  typedef int32_t Wide __attribute__((vector_size(kPiece * sizeof(int32_t)), aligned(4)));
  typedef float Floats __attribute__((vector_size(kPiece * sizeof(float)), aligned(4), may_alias));

  static void widen(const T* from, float* to) {
    const auto numbers = *static_cast<const Numbers*>(static_cast<const void*>(from));
    *static_cast<Floats*>(static_cast<void*>(to)) =
        __builtin_convertvector(__builtin_convertvector(numbers, Wide), Floats);
  }
};

struct Truth : Whole<uint8_t> {
  static void widen(const uint8_t* from, float* to) {
    for (uint32_t i = 0; i < kPiece; ++i) to[i] = from[i] != 0 ? 1.0f : 0.0f;
  }
};

// T: Float16 or Bfloat16.
template <typename T>
struct Small {
  using Stored = uint16_t;

  static void widen(const uint16_t* from, float* to) {
    T small[kPiece];
    std::memcpy(small, from, sizeof small);
    for (uint32_t i = 0; i < kPiece; i += kLanes) store(to + i, load(small + i));
  }
};

template <typename Numbers>
void cast_run(const FloatCastRun& run) {
  using Stored = typename Numbers::Stored;
  const Src<Stored> x = as<Stored>(run.x);
  for (uint32_t i = 0; i < run.count; i += kPiece) {
    const uint32_t left = run.count - i;
    const uint32_t count = left < kPiece ? left : kPiece;
    Stored piece[kPiece] = {};
    float floats[kPiece];
    if (left < kPiece) {
      take(piece, x + i, count);
    } else {
      take(piece, x + i, kPiece);
    }
    Numbers::widen(piece, floats);
    if (run.y_step != 1) {
      Dst<float> y = run.y + static_cast<ptrdiff_t>(i) * run.y_step;
      for (uint32_t j = 0; j < count; ++j, y += run.y_step) *y = floats[j];
    } else if (left < kPiece) {
      put(run.y + i, floats, count);
    } else {
      put(run.y + i, floats, kPiece);
    }
  }
}

}  // namespace

void float_cast_base(const FloatCastRun& run) {
  switch (run.from) {
    case CastSource::kBool:
      return cast_run<Truth>(run);
    case CastSource::kUint8:
      return cast_run<Whole<uint8_t>>(run);
    case CastSource::kInt8:
      return cast_run<Whole<int8_t>>(run);
    case CastSource::kUint16:
      return cast_run<Whole<uint16_t>>(run);
    case CastSource::kInt16:
      return cast_run<Whole<int16_t>>(run);
    case CastSource::kInt32:
      return cast_run<Whole<int32_t>>(run);
    case CastSource::kFloat16:
      return cast_run<Small<Float16>>(run);
    case CastSource::kBfloat16:
      return cast_run<Small<Bfloat16>>(run);
  }
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0
