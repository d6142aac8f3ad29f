// Gives integers of 8 bits another scale and zero point with Arm's MVE.
#pragma once

#include "portable_fallback/fast/integer_requantize.h"

namespace arenite {

// `count` neighbors.
void requantize_bytes_mve(const IntegerRequantize& by, Src<std::byte> x, Dst<std::byte> y,
                          uint32_t count);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
