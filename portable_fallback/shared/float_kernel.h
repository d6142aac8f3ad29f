// The kernel of float products of one instruction set, as forms hand it to the code that they
// share.
#pragma once

#include "portable_fallback/fast/float_products.h"

namespace arenite {

struct FloatKernel {
  uint32_t rows;  // of its tiles
  void (*add)(const FloatProducts& products, const FloatRange& range);
  void (*add_depthwise)(const FloatProducts& products, const FloatRange& range);
  // The same with narrower vectors, for fewer columns than `lanes`.
  void (*add_narrow_depthwise)(const FloatProducts& products, const FloatRange& range);
  uint32_t lanes;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
