// The frame of convolutions of floats, whichever taps reach an output: sixteen output channels at a
// time begin at their biases, sum their taps, pass the activation and are stored.
#pragma once

#include "portable_fallback/shared/activation.h"
#include "portable_fallback/shared/block.h"

namespace arenite {

// The starts of a block's data; its weights are of type W.
template <typename W>
struct ConvBlock {
  Src<float> x;     // of the image, at the block's first input channel
  Weights<W> w;     // of the block's first output channel
  Src<float> bias;  // likewise; null without
  Dst<float> y;     // likewise, at the row
  BlockProduct product;
};

// The block of an item of `conv`: a geometry with a bias, which may have no data.
template <typename W, typename Conv, typename Item>
ConvBlock<W> block_of(const Conv& conv, const Item& at) {
  ConvBlock<W> block;
  block.product.count = at.count;
  block.product.full = conv.w.layout() == Layout::kPanel16 || (conv.w_o == 1 && at.count == kBlock);
  block.product.x_k = conv.x.strides[1];
  block.product.w_k = conv.w_i;
  block.product.w_n = conv.w_o;
  block.product.k = conv.w.dims[1];
  block.x = conv.x.template read<float>() + conv.x_offset(at);
  block.w = WeightsOf<W>::from(conv.w, conv.w_offset(at));
  block.bias = conv.bias.data == nullptr
                   ? nullptr
                   : conv.bias.template read<float>() + size_t{at.o} * conv.bias.strides[0];
  block.y = conv.y.template write<float>() + conv.y_offset(at);
  return block;
}

// One place of the output, at y: add(acc) adds what the taps give each channel.
template <typename W, typename Conv, typename F>
void compute_place(const Conv& conv, const ConvBlock<W>& block, const Activation& activation,
                   Dst<float> y, F add) {
  const uint32_t count = block.product.count;
  float acc[kBlock] = {};
  if (block.bias != nullptr) {
    for (uint32_t j = 0; j < count; ++j) acc[j] = block.bias[j * conv.bias.strides[0]];
  }
  add(acc);
  activate(activation, acc, acc, count);
  const size_t y_c = conv.y.strides[1];
  if (y_c == 1 && count == kBlock) {
    put(y, acc, kBlock);
  } else {
    for (uint32_t j = 0; j < count; ++j) y[j * y_c] = acc[j];
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
