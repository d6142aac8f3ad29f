// Turns the bits of uint8 as pixels are turned, by the loops of integer_depthwise_mve.h, and splits
// weights with a zero point.
#include "portable_fallback/fast/integer_depthwise_bytes_mve_kernel.h"

#include "portable_fallback/fast/integer_depthwise_mve.h"

namespace arenite {

void find_split_columns_mve(MveByteDepthwise& d) {
  const IntegerProducts& p = d.products;
  if (p.w_zero_point == 0) return;
  for (uint32_t block = 0; block < 32 * kSplitWords; ++block) {
    const uint32_t column = block * kMveChannels;
    if (column >= p.columns) return;
    const uint32_t left = p.columns - column;
    bool any = false;
    for (uint32_t h = 0; h < p.kernel_h; ++h) {
      Src<std::byte> tap = weights_of(d) + (h * d.w_h + column);
      for (uint32_t w = p.kernel_w; w != 0; --w, tap += d.w_w) {
        any = any || any_rest(tap, p.w_zero_point, left < kMveChannels ? left : kMveChannels);
      }
    }
    if (any) d.split[block / 32] |= 1u << block % 32;
  }
}

void fold_byte_depthwise_mve(const MveByteDepthwise& d, int32_t* biases) {
  fold_columns<true>(d, biases);
}

void add_byte_depthwise_mve(const MveByteDepthwise& d, uint32_t line) {
  compute_line<true>(d, line);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
