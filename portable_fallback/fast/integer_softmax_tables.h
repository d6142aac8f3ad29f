// Describes the softmax of rows of 8-bit integers by tables of exponentials to kernels.
#pragma once

#include "portable_fallback/fast/integer_softmax.h"

namespace arenite {

struct TabledSoftmax {
  // Their index is how far an element is below the greatest one of its row. Summands are added up,
  // and numerators divided by their sum.
  Src<uint32_t> summands, numerators;
  int32_t flip;  // of elements: 0x80 orders int8
  int32_t zero_point, low, high;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
