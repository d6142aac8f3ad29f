// Convolutions over three spatial dims, whichever taps reach an output: sixteen output channels at
// a time, each output position adding up its taps in the order kd, kh, kw, input channel.
#pragma once

#include "ops/check.h"
#include "ops/panels.h"
#include "ops/window.h"
#include "portable_fallback/activation.h"
#include "portable_fallback/block.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/split.h"

namespace arenite {

struct VolumeOperands {
  VolumeOperands(const Step& step, uint32_t groups, const Activation& bend)
      : x(step.input(0)), w(step.input(1)), y(step.output(0)), activation(bend) {
    if (step.has_input(2)) bias = step.input(2);
    depthwise = w.dims[1] == 1 && w.dims[0] == groups;
    loop_groups = depthwise ? 1 : groups;
    group_outputs = w.dims[0] / loop_groups;
    blocks = blocks_of(group_outputs);
    if (w.layout() == Layout::kPanel16) {
      w_o = 1;
      w_i = kBlock;
      w_k[2] = w_i * w.dims[1];
      w_k[1] = w_k[2] * w.dims[4];
      w_k[0] = w_k[1] * w.dims[3];
    } else {
      w_o = w.strides[0];
      w_i = w.strides[1];
      for (uint32_t axis = 0; axis < 3; ++axis) w_k[axis] = w.strides[2 + axis];
    }
  }

  Tensor x, w, bias;
  OutTensor y;
  Activation activation;
  bool depthwise;          // one input and one output channel per group: blocks span groups
  uint32_t loop_groups;    // groups looped over: 1 when depthwise
  uint32_t group_outputs;  // output channels of such a group
  uint32_t blocks;         // of 16 output channels in such a group
  size_t w_o, w_i, w_k[3];
};

// `Axis`: a window along one axis, with kernel, taps(output) as ReachingTaps, tap_step, input_step.
template <typename Axis>
struct VolumeConv : VolumeOperands {
  // `along`: depth, height, width.
  VolumeConv(const Step& step, uint32_t groups, const Activation& bend, const Axis (&along)[3])
      : VolumeOperands(step, groups, bend), axes{along[0], along[1], along[2]} {
    // Nothing to add up; the other dims of what is empty may be any number.
    if (is_empty(x) || is_empty(w)) axes[0].kernel = 0;
  }

  Axis axes[3];
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
  const auto x_at = [&](uint32_t axis, uint32_t i) {
    return size_t{row.taps[axis].position - i * conv.axes[axis].input_step} *
           conv.x.strides[2 + axis];
  };
  const auto w_at = [&](uint32_t axis, uint32_t i) {
    return size_t{row.taps[axis].first + i * conv.axes[axis].tap_step} * conv.w_k[axis];
  };
  for (uint32_t d = 0; d < row.taps[0].count; ++d) {
    for (uint32_t h = 0; h < row.taps[1].count; ++h) {
      Src<float> x = row.x + x_at(0, d) + x_at(1, h);
      Src<W> w = row.w + w_at(0, d) + w_at(1, h);
      for (uint32_t v = 0; v < row.taps[2].count; ++v) tap(x + x_at(2, v), w + w_at(2, v));
    }
  }
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

// One row of an image's block of channels.
struct VolumeItem {
  uint32_t n, g, b, od, oh;
};

template <typename W>
VolumeRow<W> row_of(const VolumeOperands& conv, const VolumeItem& item) {
  const bool panels = conv.w.layout() == Layout::kPanel16;
  const uint32_t o = item.g * conv.group_outputs + item.b * kBlock;
  const uint32_t c = conv.depthwise ? o : item.g * conv.w.dims[1];
  const uint32_t left = conv.group_outputs - item.b * kBlock;
  VolumeRow<W> row;
  row.product.count = left < kBlock ? left : kBlock;
  row.product.full = panels || (conv.w_o == 1 && row.product.count == kBlock);
  row.product.x_k = conv.x.strides[1];
  row.product.w_k = conv.w_i;
  row.product.w_n = conv.w_o;
  row.product.k = conv.w.dims[1];
  row.x = conv.x.read<float>() + size_t{item.n} * conv.x.strides[0] + size_t{c} * conv.x.strides[1];
  // A panel of 16 outputs takes 16 * K elements.
  const size_t k = size_t{conv.w.dims[1]} * conv.w.dims[2] * conv.w.dims[3] * conv.w.dims[4];
  row.w = conv.w.read<W>() + o * (panels ? k : conv.w_o);
  row.bias = conv.bias.data == nullptr ? nullptr
                                       : conv.bias.read<float>() + size_t{o} * conv.bias.strides[0];
  row.y = conv.y.write<float>() + size_t{item.n} * conv.y.strides[0] +
          size_t{o} * conv.y.strides[1] + size_t{item.od} * conv.y.strides[2] +
          size_t{item.oh} * conv.y.strides[3];
  return row;
}

// Items: image, group, block of output channels, output slice, output row, the last fastest, so
// that a block's weights are used for all rows while they are near.
template <typename Axis, typename W>
void volume_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& conv = *static_cast<const VolumeConv<Axis>*>(argument);
  const uint32_t* dims = conv.y.dims;
  for (uint32_t index = first; index < last; ++index) {
    VolumeItem item;
    item.oh = index % dims[3];
    uint32_t rest = index / dims[3];
    item.od = rest % dims[2];
    rest /= dims[2];
    item.b = rest % conv.blocks;
    rest /= conv.blocks;
    item.g = rest % conv.loop_groups;
    item.n = rest / conv.loop_groups;
    VolumeRow<W> row = row_of<W>(conv, item);
    row.taps[0] = conv.axes[0].taps(item.od);
    row.taps[1] = conv.axes[1].taps(item.oh);
    compute_row(conv, row);
  }
}

// `work`: about how many products there are.
template <typename W, typename Axis>
void run_volume_conv(VolumeConv<Axis>& conv, uint64_t work, const Platform& platform) {
  const uint32_t* dims = conv.y.dims;
  const uint32_t items = dims[0] * conv.loop_groups * conv.blocks * dims[2] * dims[3];
  split(platform, items, work, volume_items<Axis, W>, &conv);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
