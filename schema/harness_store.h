// The bytes that a board's harness keeps for itself of the memory that receives programs.
#pragma once

#include <cstddef>

namespace arenite::harness {

// The end of the store: memory for the loader's overlap proof.
inline constexpr size_t kReservedStoreBytes = 256 * 1024;

}  // namespace arenite::harness
// SPDX-License-Identifier: Apache-2.0
