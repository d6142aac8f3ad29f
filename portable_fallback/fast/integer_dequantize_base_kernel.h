// Makes floats of neighboring integers of 8 bits with the vectors that every 64-bit x86 and Arm
// has.
#pragma once

#include "portable_fallback/fast/integer_dequantize.h"

namespace arenite {

// Elements of x and of y that are neighbors: so many are read before any of them is written.
inline constexpr uint32_t kDequantizeAtOnce = 16;

void dequantize_row_base(const DequantizeRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
