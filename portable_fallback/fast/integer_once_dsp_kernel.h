// Adds products of 8-bit integers with Arm's DSP extension; results are rounded once.
#pragma once

#include "portable_fallback/fast/integer_products_dsp_kernel.h"

namespace arenite {

// As add_products_dsp().
void add_products_once_dsp(const IntegerProducts& products, uint32_t line, uint32_t place,
                           uint32_t end);

// As finish_any_dsp() of integer_vector_dsp_kernel.h, for results that may be rounded once.
void finish_once_dsp(const IntegerResults& results, uint32_t output, uint32_t count,
                     const int32_t* sums, uint32_t places, Dst<int8_t> y, size_t y_c, size_t y_w);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
