// Convolutions of floats over three spatial dims, whichever taps reach an output: sixteen output
// channels at a time, each output position adding up its taps in the order kd, kh, kw, input
// channel.
#pragma once

#include "ops/packings.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/blocked_rows.h"
#include "portable_fallback/shared/conv_block.h"
#include "portable_fallback/shared/split.h"
#include "portable_fallback/shared/volume_geometry.h"

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

// One row of one block.
template <typename W>
struct VolumeRow : ConvBlock<W> {
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
    for_taps(conv, row, [&](Src<float> x, Weights<W> w) { add_products(row.product, x, w, acc); });
    return;
  }
  const size_t x_c = conv.x.strides[1];
  for_taps(conv, row, [&](Src<float> x, Weights<W> w) {
    for (uint32_t j = 0; j < row.product.count; ++j) acc[j] += x[j * x_c] * float{w[j * conv.w_o]};
  });
}

template <typename Axis, typename W>
void compute_row(const VolumeConv<Axis>& conv, VolumeRow<W>& row) {
  for (uint32_t ow = 0; ow < conv.y.dims[4]; ++ow) {
    row.taps[2] = conv.axes[2].taps(ow);
    compute_place<W>(conv, row, conv.activation, row.y + ow * size_t{conv.y.strides[4]},
                     [&](float* acc) { add_taps(conv, row, acc); });
  }
}

template <typename Axis, typename W>
void volume_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& conv = *static_cast<const VolumeConv<Axis>*>(argument);
  for (uint32_t index = first; index < last; ++index) {
    const VolumeItem at = conv.item(index);
    VolumeRow<W> row = {block_of<W>(conv, at), {}};
    row.taps[0] = conv.axes[0].taps(at.od);
    row.taps[1] = conv.axes[1].taps(at.oh);
    compute_row(conv, row);
  }
}

// `work`: about how many products there are.
template <typename W, typename Axis>
void run_volume_conv(VolumeConv<Axis>& conv, uint64_t work, const Platform& platform) {
  if constexpr (WeightsOf<W>::kInRows) conv.read_rows();
  split(platform, conv.items(), work, volume_items<Axis, W>, &conv);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
