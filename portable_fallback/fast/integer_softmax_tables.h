// Describes the softmax of rows of 8-bit integers by tables of exponentials to kernels.
#pragma once

#include "portable_fallback/fast/integer_softmax.h"

namespace arenite {

struct TabledSoftmax {
  // Of the difference to the greatest element of a row, below it: what a sum adds up, and what is
  // divided by the sum.
  Src<uint32_t> summands, numerators;
  int32_t flip;  // of elements: 0x80 orders int8
  int32_t zero_point, low, high;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
