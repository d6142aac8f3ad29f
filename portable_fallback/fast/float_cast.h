// Describes the neighboring numbers that kernels of casts to and from float32 are given.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

inline constexpr uint32_t kFloatCastPiece = 16;  // that are read before any of them is written

// The types that numbers have before.
enum class CastSource : uint32_t {
  kBool,
  kUint8,
  kInt8,
  kUint16,
  kInt16,
  kInt32,
  kFloat16,
  kBfloat16,
};

struct FloatCastRun {
  Src<std::byte> x;  // numbers of `from`
  Dst<float> y;
  ptrdiff_t y_step;  // elements
  uint32_t count;
  CastSource from;
};

// The types that floats are truncated to, saturating; NaN is 0.
enum class CastTarget : uint32_t {
  kBool,  // whether they are not 0
  kUint8,
  kInt8,
  kUint16,
  kInt16,
  kInt32,
  kInt64,
};

struct FloatTruncation {
  Src<float> x;
  Dst<std::byte> y;  // numbers of `to`
  uint32_t count;
  CastTarget to;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
