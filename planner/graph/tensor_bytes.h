// Bytes of tensors whose dims come from a file.
#pragma once

#include <cstdint>

#include "core/types.h"
#include "planner/graph/dims.h"

namespace arenite::planner {

// The most bytes one tensor may have: everything stored is addressed with 32 bits.
inline constexpr uint64_t kMaxTensorBytes = 0x7fffffff;

// Bytes of a dense tensor, at the bounds of its dims. Throws InputError for dims below 0, a rank
// above 8 or more than kMaxTensorBytes.
uint64_t checked_bytes(DType dtype, const Dims& dims);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
