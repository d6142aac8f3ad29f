// Bytes of tensors whose dims come from a file.
#pragma once

#include <cstdint>
#include <span>

#include "core/types.h"

namespace arenite::planner {

// The most bytes one tensor may have: everything stored is addressed with 32 bits.
inline constexpr uint64_t kMaxTensorBytes = 0x7fffffff;

// Bytes of a dense tensor. Throws InputError for dims below 0, a rank above 8 or more than
// kMaxTensorBytes.
uint64_t checked_bytes(DType dtype, std::span<const int64_t> dims);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
