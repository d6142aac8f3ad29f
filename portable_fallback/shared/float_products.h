// Facts and loops of the forms that compute convolutions and matrix products of floats with vector
// kernels (portable_fallback/fast/float_products.h), whatever instructions these use.
#pragma once

#include "core/form.h"
#include "ops/packings.h"
#include "portable_fallback/fast/float_products.h"

namespace arenite {

// The kernel of one instruction set.
struct FloatKernel {
  uint32_t rows;  // of its tiles
  void (*add)(const FloatProducts& products, const FloatRange& range);
  void (*add_depthwise)(const FloatProducts& products, const FloatRange& range);
  // The same with narrower vectors, for fewer columns than `lanes`.
  void (*add_narrow_depthwise)(const FloatProducts& products, const FloatRange& range);
  uint32_t lanes;
};

bool takes_float_conv(const Step& step);
bool takes_float_matmul(const Step& step);
ScratchNeed float_conv_scratch(const Step& step);
ScratchNeed float_matmul_scratch(const Step& step);
Status run_float_conv(const Step& step, const Platform& platform, const FloatKernel& kernel);
Status run_float_matmul(const Step& step, const Platform& platform, const FloatKernel& kernel);

// What forms of one operator share, so that a program planned for one runs with any: the loader
// takes the best that the machine has. They overlap nothing: tiles are stored while others still
// read what their windows share.
constexpr Form float_conv_facts(uint8_t plainest) {
  return {.parallel = true,
          .alignment = sizeof(float),  // of the scratch too
          .kin = plainest,
          .packings = kPanelPackings,
          .scratch = float_conv_scratch,
          .accepts = takes_float_conv};
}
constexpr Form float_matmul_facts(uint8_t plainest) {
  return {.parallel = true,
          .alignment = sizeof(float),
          .kin = plainest,
          .packings = kPanelPackings,
          .scratch = float_matmul_scratch,
          .accepts = takes_float_matmul};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
