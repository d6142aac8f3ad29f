// Adds dot products of 8-bit integers by plain loops, of which compilers make vectors.
#pragma once

#include "portable_fallback/fast/integer_dots.h"

namespace arenite {

void integer_dots_base(const IntegerProducts& products, uint32_t line, uint32_t place,
                       uint32_t end);
void integer_depthwise_base(const DotDepthwise& depthwise, uint32_t line);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
