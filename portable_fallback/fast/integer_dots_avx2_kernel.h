// Adds dot products of 8-bit integers with AVX2.
#pragma once

#include "portable_fallback/fast/integer_dots.h"

namespace arenite {

void integer_dots_avx2(const IntegerProducts& products, uint32_t line, uint32_t place,
                       uint32_t end);
// It reads the panels and biases that pack_panels_avx2() made.
void integer_panels_avx2(const IntegerProducts& products, uint32_t line, uint32_t place,
                         uint32_t end);
void pack_panels_avx2(const IntegerProducts& products, uint32_t* panels, int32_t* biases);
// It reads the weights and biases that pack_depthwise_avx2() made.
void integer_depthwise_avx2(const DotDepthwise& depthwise, uint32_t line);
void pack_depthwise_avx2(const DotDepthwise& depthwise, uint32_t* packed);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
