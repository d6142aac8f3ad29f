// Compiles casts to and from float32 for SSE2 or NEON: pieces of neighbors, of which the compiler
// makes vectors.
#include "portable_fallback/fast/float_cast_base_kernel.h"

#include <cstring>
#include <limits>

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

// Floats become numbers of a type T, of whose range the lower end is a float. The upper end of long
// types is none: what is beyond the last float below it is chosen apart.
template <typename T, typename Wide>
struct Truncated {
  using Stored = T;

  static void narrow(const float* from, T* to) {
    constexpr bool kIsLong = sizeof(T) >= sizeof(float);
    constexpr T kHighest = std::numeric_limits<T>::max();
    constexpr auto kLowest = static_cast<float>(std::numeric_limits<T>::min());
    // The step between floats below 2^31 is 2^7, below 2^63 2^39.
    constexpr T kLast = kIsLong ? kHighest - (kHighest >> 24) : kHighest;
    for (uint32_t i = 0; i < kPiece; ++i) {
      const float x = from[i] == from[i] ? from[i] : 0.0f;
      const float above = x < kLowest ? kLowest : x;
      const float limited = above > static_cast<float>(kLast) ? static_cast<float>(kLast) : above;
      const auto whole = static_cast<T>(static_cast<Wide>(limited));
      to[i] = kIsLong && x > limited ? kHighest : whole;
    }
  }
};

struct TruthOf {
  using Stored = uint8_t;

  static void narrow(const float* from, uint8_t* to) {
    for (uint32_t i = 0; i < kPiece; ++i) to[i] = from[i] != 0.0f ? 1 : 0;
  }
};

template <typename Numbers>
void truncate(const FloatTruncation& run) {
  using Stored = typename Numbers::Stored;
  const Dst<Stored> y = as<Stored>(run.y);
  for (uint32_t i = 0; i < run.count; i += kPiece) {
    const uint32_t left = run.count - i;
    float floats[kPiece] = {};
    Stored piece[kPiece];
    if (left < kPiece) {
      take(floats, run.x + i, left);
    } else {
      take(floats, run.x + i, kPiece);
    }
    Numbers::narrow(floats, piece);
    if (left < kPiece) {
      put(y + i, piece, left);
    } else {
      put(y + i, piece, kPiece);
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

void float_truncation_base(const FloatTruncation& run) {
  switch (run.to) {
    case CastTarget::kBool:
      return truncate<TruthOf>(run);
    case CastTarget::kUint8:
      return truncate<Truncated<uint8_t, int32_t>>(run);
    case CastTarget::kInt8:
      return truncate<Truncated<int8_t, int32_t>>(run);
    case CastTarget::kUint16:
      return truncate<Truncated<uint16_t, int32_t>>(run);
    case CastTarget::kInt16:
      return truncate<Truncated<int16_t, int32_t>>(run);
    case CastTarget::kInt32:
      return truncate<Truncated<int32_t, int32_t>>(run);
    case CastTarget::kInt64:
      return truncate<Truncated<int64_t, int64_t>>(run);
  }
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0
