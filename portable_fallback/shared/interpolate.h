// A table of 513 values of a function of 16 bits, read between its places as TensorFlow Lite's
// integer kernels read theirs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

// `step` elements lie between neighbors of the table.
inline int16_t interpolated(Src<int16_t> table, ptrdiff_t step, int16_t x) {
  const ptrdiff_t place = 256 + (x >> 7);
  const int16_t value = table[place * step];
  const int16_t next = table[(place + 1) * step];
  const auto slope = static_cast<int16_t>(next - value);
  return static_cast<int16_t>(value + ((slope * (x & 0x7f) + 64) >> 7));
}

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0
