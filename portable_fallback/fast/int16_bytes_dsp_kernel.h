// Rescales rows of 16-bit integers to 8 bits and back with Arm's DSP extension.
#pragma once

#include "portable_fallback/fast/integer_requantize.h"

namespace arenite {

// `count` neighbors.
void narrow_int16_dsp(const IntegerRequantize& by, Src<int16_t> x, Dst<std::byte> y,
                      uint32_t count);
void widen_bytes_dsp(const IntegerRequantize& by, Src<std::byte> x, Dst<int16_t> y, uint32_t count);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
