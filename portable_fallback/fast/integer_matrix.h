// Describes a matrix of 8-bit integers to kernels that copy it as they read weights.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

// The right side of a matrix product, [depth][columns].
struct IntegerMatrix {
  Src<std::byte> b;
  size_t k_step, n_step;  // elements between rows and between columns
  uint32_t depth, columns;
  uint32_t flip;  // of uint8 the bits that make them int8: 0x80808080
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
