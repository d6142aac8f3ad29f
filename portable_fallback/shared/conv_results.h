// Stores the results of joined integer convolutions, a channel of a place at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "portable_fallback/shared/conv_geometry.h"

namespace arenite {

// Stores result(at, o, ow), a byte or of int8 its bits, for each output channel and place of items
// `first` to `last`.
template <typename Result>
void store_conv_results(const ConvGeometry& conv, uint32_t first, uint32_t last,
                        const Result& result) {
  Dst<uint8_t> y = conv.y.write<uint8_t>();
  for (uint32_t item = first; item < last; ++item) {
    const ConvItem at = conv.item(item);
    for (uint32_t ow = 0; ow < conv.y.dims[3]; ++ow) {
      const size_t y_at = conv.y_offset(at) + size_t{ow} * conv.y.strides[3];
      for (uint32_t j = 0; j < at.count; ++j) {
        y[y_at + size_t{j} * conv.y.strides[1]] = result(at, at.o + j, ow);
      }
    }
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
