// Describes a search for the best of some bytes to the kernels that make it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

// Which byte is the best: the one that is the greatest number of 8 bits once these bits are
// flipped.
struct ByteOrder {
  uint32_t flip;  // 0x80 of int8, all of them for the least
  bool last;      // of equals the last is the best
};

// The best byte so far, flipped, and its place; of none, -1 and 0.
struct BestByte {
  int32_t flipped = -1;
  uint32_t place = 0;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
