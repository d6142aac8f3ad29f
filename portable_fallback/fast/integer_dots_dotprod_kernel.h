// Adds dot products of 8-bit integers with NEON's instructions for them.
#pragma once

#include "portable_fallback/fast/integer_dots.h"

namespace arenite {

// By weights in rows.
void integer_dots_dotprod(const IntegerProducts& products, uint32_t line, uint32_t place,
                          uint32_t end);
// By panels and biases that pack_panels_dotprod() made.
void integer_panels_dotprod(const IntegerProducts& products, uint32_t line, uint32_t place,
                            uint32_t end);
void pack_panels_dotprod(const IntegerProducts& products, uint32_t* panels, int32_t* biases);
// By weights and biases that pack_depthwise_dotprod() made.
void integer_depthwise_dotprod(const DotDepthwise& depthwise, uint32_t line);
void pack_depthwise_dotprod(const DotDepthwise& depthwise, uint32_t* packed);
void fold_dots_dotprod(const IntegerProducts& products, int32_t* biases);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
