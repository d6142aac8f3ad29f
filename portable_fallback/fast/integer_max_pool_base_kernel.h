// Finds the greatest elements of windows of 8-bit integers with vectors of any kind.
#pragma once

#include "portable_fallback/fast/integer_max_pool.h"

namespace arenite {

void max_pool_base(const MaxPoolRun& run);

inline constexpr uint32_t kPlaneOutputs = 128;   // that are read before any of them is written
inline constexpr uint32_t kPlaneColumns = 2048;  // that their windows span at most

// Up to kPlaneOutputs neighboring outputs of one channel whose columns are neighbors, in x and y.
struct PlaneMaxRun {
  Src<std::byte> x;                   // the first of the columns inside x, of the first row of taps
  uint32_t columns;                   // of these
  uint32_t before;                    // columns that the windows have in front of them
  uint32_t counts[2];                 // of rows of taps: depth, height
  size_t steps[2];                    // elements between these rows
  uint32_t kernel, dilation, stride;  // along the columns
  Dst<std::byte> y;
  uint32_t outputs;
  bool is_unsigned;  // uint8, else int8

  uint32_t places() const { return (outputs - 1) * stride + 1; }
  uint32_t last_tap() const { return (kernel - 1) * dilation; }
};

void max_pool_plane_base(const PlaneMaxRun& run);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
