// Describes rows of two operands that kernels of functions of two floats are given, as plain
// pointers and numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

inline constexpr uint32_t kFloatBinaryPiece = 16;  // that are read before any of them is written

// y[i] = f(a[i], b[i]) for each row, pieces in their order; y may be a or b.
struct FloatBinaryRun {
  Src<float> a, b;
  Dst<float> y;
  uint32_t rows, count;           // count: elements of a row, neighbors in a and y
  ptrdiff_t a_row, b_row, y_row;  // elements between rows
  bool one_b;                     // for a whole row, read before it; else b has neighbors too
  bool clips;                     // each result r is min(max(r, low), high); NaN stays
  float low, high;
};

// kMax and kMin are NaN where a or b is NaN. kSlope is a < 0 ? a * b : a.
enum class FloatBinary : uint8_t { kAdd, kSub, kMul, kDiv, kMax, kMin, kSlope };

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
