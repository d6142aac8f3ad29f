// Describes a row of softmax to a kernel, as plain pointers and numbers.
#pragma once

#include <cstdint>

#include "core/access.h"

namespace arenite {

inline constexpr uint32_t kSoftmaxPiece = 16;  // that are read before any of them is written

// y[i] = e^(x[i] - greatest) / their sum; x may be y. NaN makes all of y NaN, and so does an
// infinite x that is the greatest.
struct FloatSoftmaxRow {
  Src<float> x;
  Dst<float> y;
  uint32_t count;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
