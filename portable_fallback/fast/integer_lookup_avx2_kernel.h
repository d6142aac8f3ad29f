// Looks up 8-bit integers with AVX2.
#pragma once

#include "portable_fallback/fast/integer_lookup.h"

namespace arenite {

// `count` neighbors; x may be y.
void look_up_avx2(const ByteTable& table, Src<std::byte> x, Dst<std::byte> y, uint32_t count);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
