// Adds products of depthwise windows with Arm's MVE: x may be uint8, and weights have a zero point.
#pragma once

#include "portable_fallback/fast/integer_depthwise_mve_kernel.h"

namespace arenite {

inline constexpr uint32_t kSplitWords = 4;

// As MveDepthwise, with weights that have a zero point above -128.
struct MveByteDepthwise {
  IntegerProducts products;
  size_t w_h, w_w;
  // A bit for each of the first blocks of kMveChannels columns: weights less their zero point do
  // not all fit int8. Of further blocks none is known.
  uint32_t split[kSplitWords] = {};
};

// Sets these bits.
void find_split_columns_mve(MveByteDepthwise& depthwise);

// As fold_depthwise_mve() and add_depthwise_mve(), of such windows. Results may be rounded once.
void fold_byte_depthwise_mve(const MveByteDepthwise& depthwise, int32_t* biases);
void add_byte_depthwise_mve(const MveByteDepthwise& depthwise, uint32_t line);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
