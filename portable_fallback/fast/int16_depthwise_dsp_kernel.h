// Adds products of depthwise windows of 16-bit activations and 8-bit weights with Arm's DSP
// extension.
#pragma once

#include "portable_fallback/fast/int16_products.h"

namespace arenite {

inline constexpr uint32_t kInt16DspChannels = 4;  // columns that are computed at once

// x_c and y_c are 1, and so are the elements between columns of w. `channels` and `rows` are not
// used, and `outside` is 0.
//
// Computes a line from left to right, some columns of a place at once: reads what these need of x,
// then writes them.
void add_int16_depthwise_dsp(const Int16Products& products, uint32_t line);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
