// Describes the neighboring numbers that a kernel of casts to float32 is given.
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

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
