// Adds depthwise products of 8-bit integers with AVX-512 and its VNNI.
#pragma once

#include "portable_fallback/fast/integer_dots.h"

namespace arenite {

// By weights and biases that pack_depthwise_avx512vnni() made.
void integer_depthwise_avx512vnni(const DotDepthwise& depthwise, uint32_t line);
void pack_depthwise_avx512vnni(const DotDepthwise& depthwise, uint32_t* packed);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
