// Adds dot products of 8-bit integers with AVX-512 and its VNNI.
#pragma once

#include "portable_fallback/fast/integer_dots.h"

namespace arenite {

// By biases that fold_dots_avx512vnni() made.
void integer_dots_avx512vnni(const IntegerProducts& products, uint32_t line, uint32_t place,
                             uint32_t end);
void fold_dots_avx512vnni(const IntegerProducts& products, int32_t* biases);
// By panels and biases that pack_panels_avx512vnni() made.
void integer_panels_avx512vnni(const IntegerProducts& products, uint32_t line, uint32_t place,
                               uint32_t end);
void pack_panels_avx512vnni(const IntegerProducts& products, uint32_t* panels, int32_t* biases);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
