// Describes a line of a resized plane whose elements are moved, for each place from a column.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

struct ResizeMoves {
  Src<std::byte> x;     // column 0
  Dst<std::byte> y;     // places that are neighbors
  size_t x_column;      // elements between columns of x
  Src<int32_t> firsts;  // [places]: columns; below 0 a place lies outside
  uint32_t places;
  uint32_t outside;  // its low bits
  bool doubles;      // columns are neighbors, and places 2i and 2i + 1 read column i
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
