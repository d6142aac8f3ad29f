// Results of a quantized convolution whose ends are one operand, a channel of a place at a time,
// for joined ones.
#pragma once

#include "ops/attributes.h"
#include "ops/quantized_conv_ends.h"
#include "portable_fallback/shared/channel_ends.h"
#include "portable_fallback/shared/conv_geometry.h"
#include "portable_fallback/shared/integer_block.h"

namespace arenite {

struct ConvWithEnds : ConvGeometry {
  ConvWithEnds(const Step& step, const QuantizedConvAttributes& conv)
      : ConvGeometry(step, conv.groups, conv_window(conv, step.input(0), step.input(1), 0),
                     conv_window(conv, step.input(0), step.input(1), 1), false),
        ends(step.input(kEndsInput)),
        attributes(conv) {}

  // The products of a tap of an output channel, over the input channels from x_at on or, where x_at
  // is null, of what lies outside x.
  uint32_t tap_sum(const size_t* x_at, size_t w_at) const {
    const IntegerRow x_row(x, x_at == nullptr ? 0 : *x_at, x.strides[1]);
    const IntegerRow w_row(w, w_at, w_i);
    uint32_t sum = 0;
    for (uint32_t c = 0; c < w.dims[1]; ++c) {
      const auto number = x_at == nullptr ? attributes.outside : static_cast<int32_t>(x_row[c]);
      sum += static_cast<uint32_t>((number - attributes.x_zero_point) *
                                   (static_cast<int32_t>(w_row[c]) - attributes.w_zero_point));
    }
    return sum;
  }

  // Computes the convolution's result, requantized, for channel o of a place.
  int32_t result(const ConvItem& at, uint32_t o, uint32_t ow) const {
    const Taps rows = height.taps(at.oh), columns = width.taps(ow);
    // The channels of a depthwise convolution are its groups.
    const size_t image = x_offset(at) + (depthwise ? size_t{o - at.o} * x.strides[1] : 0);
    uint32_t sum = 0;
    for (uint32_t h = 0; h < height.kernel; ++h) {
      for (uint32_t v = 0; v < width.kernel; ++v) {
        const size_t w_at = o * w_o + h * w_h + v * w_w;
        const bool inside =
            h >= rows.begin && h < rows.end && v >= columns.begin && v < columns.end;
        if (!inside) {
          sum += tap_sum(nullptr, w_at);
          continue;
        }
        const size_t x_at = image + static_cast<size_t>(height.position(at.oh, h)) * x.strides[2] +
                            static_cast<size_t>(width.position(ow, v)) * x.strides[3];
        sum += tap_sum(&x_at, w_at);
      }
    }
    return ChannelEnds(ends, o).result(sum, attributes.output);
  }

  Tensor ends;
  QuantizedConvAttributes attributes;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
