// Finds the best of neighboring bytes with the vectors that every 64-bit x86 and Arm has.
#pragma once

#include "portable_fallback/fast/integer_arg.h"

namespace arenite {

// Looks at `count` bytes, `step` apart, the first of which is at `place`.
void find_best_base(const ByteOrder& order, Src<std::byte> x, ptrdiff_t step, uint32_t place,
                    uint32_t count, BestByte& best);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
