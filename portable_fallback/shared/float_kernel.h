// The kernel of float products of one instruction set, as forms hand it to the code that they
// share.
#pragma once

#include "core/form.h"
#include "ops/attributes.h"
#include "ops/packings.h"
#include "portable_fallback/fast/float_products.h"

namespace arenite {

struct FloatKernel {
  uint32_t rows;  // of its tiles
  void (*add)(const FloatProducts& products, const FloatRange& range);
  void (*add_depthwise)(const FloatProducts& products, const FloatRange& range);
  // The same with narrower vectors, for fewer columns than `lanes`.
  void (*add_narrow_depthwise)(const FloatProducts& products, const FloatRange& range);
  uint32_t lanes;
  // Widens weights of 16 bits that lie side by side.
  void (*widen)(const void* from, WeightType type, size_t count, float* to);
  // Groups of few channels, at most `group_channels`, and channels that several columns read: see
  // float_groups_avx512(). Larger groups fill the vectors of tiles.
  void (*add_groups)(const FloatProducts& products, const FloatRange& range) = nullptr;
  uint32_t group_channels = 0;
};

// The facts that forms of one operator share, so that a program planned for one runs with any: the
// loader takes the best that the machine has. They overlap nothing but a residual, in its very
// place: tiles are stored while others still read what their windows or rows share.
constexpr Form float_facts(uint8_t plainest, decltype(Form::scratch) scratch,
                           decltype(Form::accepts) accepts) {
  return {.parallel = true,
          .in_place = in_place_of(kResidualInput),
          .alignment = sizeof(float),  // of the scratch too
          .kin = plainest,
          .packings = kPanelPackings,
          .scratch = scratch,
          .accepts = accepts};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
