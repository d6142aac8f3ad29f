// Convolutions of floats over three spatial dims, whichever taps reach an output: sixteen output
// channels at a time, each output position adding up its taps in the order kd, kh, kw, input
// channel.
#pragma once

#include "ops/panels.h"
#include "portable_fallback/activation.h"
#include "portable_fallback/block.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/split.h"
#include "portable_fallback/volume_geometry.h"

namespace arenite {

template <typename Axis>
struct VolumeConv : VolumeGeometry<Axis> {
  VolumeConv(const Step& step, const VolumeGeometry<Axis>& geometry, const Activation& bend)
      : VolumeGeometry<Axis>(geometry), activation(bend) {
    if (step.has_input(2)) bias = step.input(2);
  }

  Tensor bias;
  Activation activation;
};

// One row of one block of output channels: where its data starts; its weights are of type W.
template <typename W>
struct VolumeRow {
  Src<float> x;     // of the image, at the block's first input channel
  Src<W> w;         // of the block's first output channel
  Src<float> bias;  // likewise; null without
  Dst<float> y;     // likewise, at the row
  BlockProduct product;
  ReachingTaps taps[3];
};

// Calls tap(x, w) for each tap that reaches an output position, in order.
template <typename Axis, typename W, typename F>
void for_taps(const VolumeConv<Axis>& conv, const VolumeRow<W>& row, F tap) {
  conv.for_taps(row.taps, [&](size_t x, size_t w) { tap(row.x + x, row.w + w); });
}

template <typename Axis, typename W>
void add_taps(const VolumeConv<Axis>& conv, const VolumeRow<W>& row, float* acc) {
  if (!conv.depthwise) {
    for_taps(conv, row, [&](Src<float> x, Src<W> w) { add_products(row.product, x, w, acc); });
    return;
  }
  const size_t x_c = conv.x.strides[1];
  for_taps(conv, row, [&](Src<float> x, Src<W> w) {
    for (uint32_t j = 0; j < row.product.count; ++j) acc[j] += x[j * x_c] * float{w[j * conv.w_o]};
  });
}

template <typename Axis, typename W>
void compute_row(const VolumeConv<Axis>& conv, VolumeRow<W>& row) {
  const uint32_t count = row.product.count;
  const size_t y_c = conv.y.strides[1];
  for (uint32_t ow = 0; ow < conv.y.dims[4]; ++ow) {
    row.taps[2] = conv.axes[2].taps(ow);
    float acc[kBlock] = {};
    if (row.bias != nullptr) {
      for (uint32_t j = 0; j < count; ++j) acc[j] = row.bias[j * conv.bias.strides[0]];
    }
    add_taps(conv, row, acc);
    activate(conv.activation, acc, acc, count);
    Dst<float> y = row.y + ow * size_t{conv.y.strides[4]};
    if (y_c == 1 && count == kBlock) {
      put(y, acc, kBlock);
    } else {
      for (uint32_t j = 0; j < count; ++j) y[j * y_c] = acc[j];
    }
  }
}

template <typename Axis, typename W>
void volume_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& conv = *static_cast<const VolumeConv<Axis>*>(argument);
  const bool panels = conv.w.layout() == Layout::kPanel16;
  for (uint32_t index = first; index < last; ++index) {
    const VolumeItem at = conv.item(index);
    VolumeRow<W> row;
    row.product.count = at.count;
    row.product.full = panels || (conv.w_o == 1 && at.count == kBlock);
    row.product.x_k = conv.x.strides[1];
    row.product.w_k = conv.w_i;
    row.product.w_n = conv.w_o;
    row.product.k = conv.w.dims[1];
    row.x = conv.x.template read<float>() + conv.x_offset(at);
    row.w = conv.w.template read<W>() + conv.w_offset(at);
    row.bias = conv.bias.data == nullptr
                   ? nullptr
                   : conv.bias.template read<float>() + size_t{at.o} * conv.bias.strides[0];
    row.y = conv.y.template write<float>() + conv.y_offset(at);
    row.taps[0] = conv.axes[0].taps(at.od);
    row.taps[1] = conv.axes[1].taps(at.oh);
    compute_row(conv, row);
  }
}

// `work`: about how many products there are.
template <typename W, typename Axis>
void run_volume_conv(VolumeConv<Axis>& conv, uint64_t work, const Platform& platform) {
  split(platform, conv.items(), work, volume_items<Axis, W>, &conv);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
