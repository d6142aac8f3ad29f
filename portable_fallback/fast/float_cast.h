// Describes the neighboring numbers that a kernel of casts to float32 is given.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"
#include "core/types.h"

namespace arenite {

inline constexpr uint32_t kFloatCastPiece = 16;  // that are read before any of them is written

struct FloatCastRun {
  Src<std::byte> x;  // of type `from`
  Dst<float> y;
  ptrdiff_t y_step;  // elements
  uint32_t count;
  DType from;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
