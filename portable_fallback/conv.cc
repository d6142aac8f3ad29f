// Convolution over one or two spatial dims: sixteen output channels at a time, taps in the order
// kh, kw, input channel.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/panels.h"
#include "ops/window.h"
#include "portable_fallback/activation.h"
#include "portable_fallback/block.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/safe_distance.h"
#include "portable_fallback/split.h"

namespace arenite {
namespace {

struct Conv {
  Conv(const Step& step, bool serial);

  Tensor x, w, bias;
  OutTensor y;
  ConvAttributes attributes;
  Window height, width;
  bool depthwise;          // one input and one output channel per group: blocks span groups
  uint32_t loop_groups;    // groups looped over: 1 when depthwise
  uint32_t group_outputs;  // output channels of such a group
  uint32_t blocks;         // of 16 output channels in such a group
  size_t w_o, w_i, w_h, w_w;
  bool rows_first;  // the order of items
};

// Where a block's data starts; its weights are of type W.
template <typename W>
struct ConvBlock {
  Src<float> x;     // of the image, at the block's first input channel
  Src<W> w;         // of the block's first output channel
  Src<float> bias;  // likewise; null without
  Dst<float> y;     // likewise, at the row
  BlockProduct product;
};

// The taps of one output position that lie inside the input.
struct ConvTaps {
  Taps h, w;
  int32_t top, left;  // position of tap (0, 0)
};

// Calls tap(x, w) for each of them, in order.
template <typename W, typename F>
void for_taps(const Conv& conv, const ConvBlock<W>& block, const ConvTaps& taps, F tap) {
  const size_t x_h = conv.x.strides[2];
  const size_t x_w = conv.x.strides[3];
  for (uint32_t h = taps.h.begin; h < taps.h.end; ++h) {
    const int32_t ih = taps.top + static_cast<int32_t>(h * conv.height.dilation);
    for (uint32_t w = taps.w.begin; w < taps.w.end; ++w) {
      const int32_t iw = taps.left + static_cast<int32_t>(w * conv.width.dilation);
      tap(block.x + static_cast<size_t>(ih) * x_h + static_cast<size_t>(iw) * x_w,
          block.w + h * conv.w_h + w * conv.w_w);
    }
  }
}

template <typename W>
void add_window(const Conv& conv, const ConvBlock<W>& block, const ConvTaps& taps, float* acc) {
  const size_t x_c = conv.x.strides[1];
  if (!conv.depthwise) {
    for_taps(conv, block, taps,
             [&](Src<float> x, Src<W> w) { add_products(block.product, x, w, acc); });
  } else if (block.product.count == kBlock && x_c == 1 && conv.w_o == 1) {
    // As in add_products: unrolled, the sums stay in registers.
    float sums[kBlock];
#pragma GCC unroll 16
    for (uint32_t j = 0; j < kBlock; ++j) sums[j] = acc[j];
    for_taps(conv, block, taps, [&](Src<float> x, Src<W> w) {
#pragma GCC unroll 16
      for (uint32_t j = 0; j < kBlock; ++j) sums[j] += x[j] * float{w[j]};
    });
#pragma GCC unroll 16
    for (uint32_t j = 0; j < kBlock; ++j) acc[j] = sums[j];
  } else {
    for_taps(conv, block, taps, [&](Src<float> x, Src<W> w) {
      for (uint32_t j = 0; j < block.product.count; ++j)
        acc[j] += x[j * x_c] * float{w[j * conv.w_o]};
    });
  }
}

template <typename W>
void compute_row(const Conv& conv, const ConvBlock<W>& block, uint32_t oh) {
  ConvTaps taps = {conv.height.taps(oh), {}, conv.height.start(oh), 0};
  const uint32_t count = block.product.count;
  const uint32_t output_width = conv.y.dims[3];
  for (uint32_t ow = 0; ow < output_width; ++ow) {
    taps.w = conv.width.taps(ow);
    taps.left = conv.width.start(ow);
    float acc[kBlock] = {};
    if (block.bias != nullptr) {
      for (uint32_t j = 0; j < count; ++j) acc[j] = block.bias[j * conv.bias.strides[0]];
    }
    add_window(conv, block, taps, acc);
    activate(conv.attributes.activation, acc, acc, count);
    Dst<float> y = block.y + ow * size_t{conv.y.strides[3]};
    const size_t y_c = conv.y.strides[1];
    if (y_c == 1 && count == kBlock) {
      put(y, acc, kBlock);
    } else {
      for (uint32_t j = 0; j < count; ++j) y[j * y_c] = acc[j];
    }
  }
}

// One row of one block of output channels.
struct ConvItem {
  uint32_t n, g, b, oh;
  uint32_t o, c;   // first output channel and first input channel
  uint32_t count;  // of output channels
};

// Items: image, group, block of output channels, output row, the last fastest, so that a block's
// weights are used for all rows while they are near. Or, with rows_first, blocks fastest, so that
// all that reads a row of the input is done with it early.
ConvItem item_of(const Conv& conv, uint32_t item) {
  const uint32_t rows = conv.y.dims[2];
  const uint32_t all_blocks = conv.loop_groups * conv.blocks;
  ConvItem at;
  const uint32_t in_image = item % (rows * all_blocks);
  at.n = item / (rows * all_blocks);
  at.oh = conv.rows_first ? in_image / all_blocks : in_image % rows;
  const uint32_t block = conv.rows_first ? in_image % all_blocks : in_image / rows;
  at.b = block % conv.blocks;
  at.g = block / conv.blocks;
  at.o = at.g * conv.group_outputs + at.b * kBlock;
  at.c = conv.depthwise ? at.o : at.g * conv.w.dims[1];
  const uint32_t left = conv.group_outputs - at.b * kBlock;
  at.count = left < kBlock ? left : kBlock;
  return at;
}

template <typename W>
void conv_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& conv = *static_cast<const Conv*>(argument);
  const bool panels = conv.w.layout() == Layout::kPanel16;
  for (uint32_t item = first; item < last; ++item) {
    const ConvItem at = item_of(conv, item);
    ConvBlock<W> block;
    block.product.count = at.count;
    block.product.full = panels || (conv.w_o == 1 && at.count == kBlock);
    block.product.x_k = conv.x.strides[1];
    block.product.w_k = conv.w_i;
    block.product.w_n = conv.w_o;
    block.product.k = conv.w.dims[1];
    block.x =
        conv.x.read<float>() + size_t{at.n} * conv.x.strides[0] + size_t{at.c} * conv.x.strides[1];
    // A panel of 16 outputs takes 16 * K elements.
    const size_t k = size_t{conv.w.dims[1]} * conv.w.dims[2] * conv.w.dims[3];
    block.w = conv.w.read<W>() + at.o * (panels ? k : conv.w_o);
    block.bias = conv.bias.data == nullptr
                     ? nullptr
                     : conv.bias.read<float>() + size_t{at.o} * conv.bias.strides[0];
    block.y = conv.y.write<float>() + size_t{at.n} * conv.y.strides[0] +
              size_t{at.o} * conv.y.strides[1] + size_t{at.oh} * conv.y.strides[2];
    compute_row(conv, block, at.oh);
  }
}

Conv::Conv(const Step& step, bool serial)
    : x(step.input(0)),
      w(step.input(1)),
      y(step.output(0)),
      attributes(step.attributes<ConvAttributes>()) {
  if (step.has_input(2)) bias = step.input(2);
  height = conv_window(attributes, x, w, 0);
  width = conv_window(attributes, x, w, 1);
  // Nothing to add up; the other dims of what is empty may be any number.
  if (is_empty(x) || is_empty(w)) height.kernel = 0;
  depthwise = w.dims[1] == 1 && w.dims[0] == attributes.groups;
  loop_groups = depthwise ? 1 : attributes.groups;
  group_outputs = w.dims[0] / loop_groups;
  blocks = blocks_of(group_outputs);
  rows_first = serial && y.strides[1] < y.strides[2];
  if (w.layout() == Layout::kPanel16) {
    w_o = 1;
    w_i = kBlock;
    w_w = w_i * w.dims[1];
    w_h = w_w * w.dims[3];
  } else {
    w_o = w.strides[0];
    w_i = w.strides[1];
    w_h = w.strides[2];
    w_w = w.strides[3];
  }
}

template <typename W>
Status run_conv_of(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  Conv conv(step, step.serial());
  const uint32_t items = conv.y.dims[0] * conv.loop_groups * conv.blocks * conv.y.dims[2];
  const uint64_t taps = uint64_t{conv.w.dims[1]} * conv.w.dims[2] * conv.w.dims[3];
  split(platform, items, element_count(conv.y) * taps, conv_items<W>, &conv);
  return ok_status();
}

Status run_conv(const Step& step, const Platform& platform) {
  return run_conv_of<float>(step, platform);
}

Status run_conv_of_halves(const Step& step, const Platform& platform) {
  return for_half_weights(step.input(1).dtype(),
                          [&]<typename W>() { return run_conv_of<W>(step, platform); });
}

// Each output position reads its window, then writes its channels.
uint64_t conv_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  if (is_empty(step.output(0))) return 0;
  const Conv conv(step, true);
  constexpr int64_t kBytes = sizeof(float);
  const auto x = [&](uint32_t d) { return conv.x.strides[d] * kBytes; };
  const auto y = [&](uint32_t d) { return conv.y.strides[d] * kBytes; };
  const DistanceLoop rows = DistanceLoop::window(conv.height, conv.y.dims[2], y(2), x(2));
  DistanceNest nest(kBytes);
  nest.add(DistanceLoop::window(conv.width, conv.y.dims[3], y(3), x(3)));
  if (!conv.rows_first) nest.add(rows);
  nest.add(DistanceLoop::blocks(conv.group_outputs, kBlock, y(1), conv.depthwise ? x(1) : 0));
  nest.add(DistanceLoop::even(conv.loop_groups, conv.group_outputs * y(1), conv.w.dims[1] * x(1)));
  if (conv.rows_first) nest.add(rows);
  nest.add(DistanceLoop::even(conv.y.dims[0], y(0), x(0)));
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

}  // namespace

constexpr Form kConvForm0 = {
    .op = Op::kConv,
    .number = 0,
    .parallel = true,
    .packings = kPackedWeights,
    .types = kConvTypes,
    .safe_distance = conv_distance,
    .accepts = reads_float32_weights,
    .run = run_conv,
};
// Weights of 16 bits.
constexpr Form kConvForm2 = {
    .op = Op::kConv,
    .number = 2,
    .parallel = true,
    .packings = kPackedWeights,
    .types = kConvTypes,
    .safe_distance = conv_distance,
    .accepts = reads_half_weights,
    .run = run_conv_of_halves,
};
constexpr const Form* const kConvForms[] = {&kConvForm0, &kConvForm2, nullptr};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
