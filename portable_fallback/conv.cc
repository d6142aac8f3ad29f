// Convolution over one or two spatial dims: sixteen output channels at a time, taps in the order
// kh, kw, input channel.
#include <cstring>

#include "core/attributes.h"
#include "core/kernel.h"
#include "portable_fallback/activation.h"
#include "portable_fallback/block.h"
#include "portable_fallback/check.h"
#include "portable_fallback/kernels.h"
#include "portable_fallback/panels.h"
#include "portable_fallback/split.h"
#include "portable_fallback/window.h"

namespace arenite {
namespace {

Window window_of(const ConvAttributes& attributes, const Tensor& x, const Tensor& w,
                 uint32_t axis) {
  return {x.dims[2 + axis], w.dims[2 + axis], attributes.stride[axis], attributes.dilation[axis],
          attributes.pad_begin[axis]};
}

Status check_conv(const Step& step) {
  ARENITE_TRY(check_attributes<ConvAttributes>(step));
  ARENITE_TRY(check_operands(
      step, {.min_inputs = 2, .max_inputs = 3, .max_outputs = 1, .packed_weights = true}));
  ARENITE_TRY(check_all_types(step, DType::kFloat32));
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  if (x.rank != 4) return input_error(step, Code::kBadShape, 0);
  if (w.rank != 4) return input_error(step, Code::kBadShape, 1);
  if (y.rank != 4 || y.dims[0] != x.dims[0] || y.dims[1] != w.dims[0]) {
    return output_error(step, Code::kBadShape);
  }
  const auto attributes = step.attributes<ConvAttributes>();
  const uint32_t groups = attributes.groups;
  if (groups == 0 || w.dims[0] % groups != 0 || x.dims[1] % groups != 0) {
    return error(Code::kBadAttribute);
  }
  if (w.dims[1] != x.dims[1] / groups) return input_error(step, Code::kBadShape, 1);
  ARENITE_TRY(check_vector(step, 2, w.dims[0]));
  for (uint32_t axis = 0; axis < 2; ++axis) {
    if (!window_fits(window_of(attributes, x, w, axis), y.dims[2 + axis])) {
      return error(Code::kBadAttribute);
    }
  }
  ARENITE_TRY(check_activation(attributes.activation));
  ARENITE_TRY(check_dense_enough(step, 0));
  if (w.layout == Layout::kStrided) return check_dense_enough(step, 1);
  if (groups != 1) return input_error(step, Code::kBadLayout, 1);
  const uint64_t k = bounded_product(bounded_product(w.dims[1], w.dims[2]), w.dims[3]);
  return panels_hold(w, w.dims[0], k) ? ok_status() : input_error(step, Code::kBadRange, 1);
}

struct Conv {
  Tensor x, w, bias;
  OutTensor y;
  ConvAttributes attributes;
  Window height, width;
  bool depthwise;          // one input and one output channel per group: blocks span groups
  uint32_t loop_groups;    // groups looped over: 1 when depthwise
  uint32_t group_outputs;  // output channels of such a group
  uint32_t blocks;         // of 16 output channels in such a group
  size_t w_o, w_i, w_h, w_w;
};

// Where a block's data starts.
struct ConvBlock {
  const float* x;     // of the image, at the block's first input channel
  const float* w;     // of the block's first output channel
  const float* bias;  // likewise; null without
  float* y;           // likewise, at the row
  BlockProduct product;
};

// The taps of one output position that lie inside the input.
struct ConvTaps {
  Taps h, w;
  int32_t top, left;  // position of tap (0, 0)
};

// Calls tap(x, w) for each of them, in order.
template <typename F>
void for_taps(const Conv& conv, const ConvBlock& block, const ConvTaps& taps, F tap) {
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

void add_window(const Conv& conv, const ConvBlock& block, const ConvTaps& taps, float* acc) {
  const size_t x_c = conv.x.strides[1];
  if (!conv.depthwise) {
    for_taps(conv, block, taps,
             [&](const float* x, const float* w) { add_products(block.product, x, w, acc); });
  } else if (block.product.count == kBlock && x_c == 1 && conv.w_o == 1) {
    // As in add_products: unrolled, the sums stay in registers.
    float sums[kBlock];
#pragma GCC unroll 16
    for (uint32_t j = 0; j < kBlock; ++j) sums[j] = acc[j];
    for_taps(conv, block, taps, [&](const float* x, const float* w) {
#pragma GCC unroll 16
      for (uint32_t j = 0; j < kBlock; ++j) sums[j] += x[j] * w[j];
    });
#pragma GCC unroll 16
    for (uint32_t j = 0; j < kBlock; ++j) acc[j] = sums[j];
  } else {
    for_taps(conv, block, taps, [&](const float* x, const float* w) {
      for (uint32_t j = 0; j < block.product.count; ++j) acc[j] += x[j * x_c] * w[j * conv.w_o];
    });
  }
}

void compute_row(const Conv& conv, const ConvBlock& block, uint32_t oh) {
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
    float* y = block.y + ow * size_t{conv.y.strides[3]};
    const size_t y_c = conv.y.strides[1];
    if (y_c == 1 && count == kBlock) {
      std::memcpy(y, acc, sizeof(acc));
    } else {
      for (uint32_t j = 0; j < count; ++j) y[j * y_c] = acc[j];
    }
  }
}

// Items: image, group, block of output channels, output row, the last fastest, so that a block's
// weights are used for all rows while they are near.
void conv_items(void* argument, uint32_t first, uint32_t last) {
  const auto& conv = *static_cast<const Conv*>(argument);
  const uint32_t rows = conv.y.dims[2];
  const bool panels = conv.w.layout == Layout::kPanel16;
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t oh = item % rows;
    const uint32_t b = item / rows % conv.blocks;
    const uint32_t g = item / rows / conv.blocks % conv.loop_groups;
    const size_t n = item / rows / conv.blocks / conv.loop_groups;
    const size_t o = size_t{g} * conv.group_outputs + size_t{b} * kBlock;
    const size_t c = conv.depthwise ? o : size_t{g} * conv.w.dims[1];
    const uint32_t left = conv.group_outputs - b * kBlock;
    ConvBlock block;
    block.product.count = left < kBlock ? left : kBlock;
    block.product.full = panels || (conv.w_o == 1 && left >= kBlock);
    block.product.x_k = conv.x.strides[1];
    block.product.w_k = conv.w_i;
    block.product.w_n = conv.w_o;
    block.product.k = conv.w.dims[1];
    block.x = conv.x.read<float>() + n * conv.x.strides[0] + c * conv.x.strides[1];
    // A panel of 16 outputs takes 16 * K elements.
    const size_t k = size_t{conv.w.dims[1]} * conv.w.dims[2] * conv.w.dims[3];
    block.w = conv.w.read<float>() + o * (panels ? k : conv.w_o);
    block.bias =
        conv.bias.data == nullptr ? nullptr : conv.bias.read<float>() + o * conv.bias.strides[0];
    block.y = conv.y.write<float>() + n * conv.y.strides[0] + o * conv.y.strides[1] +
              oh * size_t{conv.y.strides[2]};
    compute_row(conv, block, oh);
  }
}

Status run_conv(const Step& step, const Platform& platform) {
  Conv conv;
  conv.x = step.input(0);
  conv.w = step.input(1);
  if (step.has_input(2)) conv.bias = step.input(2);
  conv.y = step.output(0);
  if (is_empty(conv.y)) return ok_status();
  conv.attributes = step.attributes<ConvAttributes>();
  conv.height = window_of(conv.attributes, conv.x, conv.w, 0);
  conv.width = window_of(conv.attributes, conv.x, conv.w, 1);
  // Nothing to add up; the other dims of what is empty may be any number.
  if (is_empty(conv.x) || is_empty(conv.w)) conv.height.kernel = 0;
  const uint32_t* w_dims = conv.w.dims;
  conv.depthwise = w_dims[1] == 1 && w_dims[0] == conv.attributes.groups;
  conv.loop_groups = conv.depthwise ? 1 : conv.attributes.groups;
  conv.group_outputs = w_dims[0] / conv.loop_groups;
  conv.blocks = blocks_of(conv.group_outputs);
  if (conv.w.layout == Layout::kPanel16) {
    conv.w_o = 1;
    conv.w_i = kBlock;
    conv.w_w = conv.w_i * w_dims[1];
    conv.w_h = conv.w_w * w_dims[3];
  } else {
    conv.w_o = conv.w.strides[0];
    conv.w_i = conv.w.strides[1];
    conv.w_h = conv.w.strides[2];
    conv.w_w = conv.w.strides[3];
  }
  const uint32_t items = conv.y.dims[0] * conv.loop_groups * conv.blocks * conv.y.dims[2];
  const uint64_t taps = uint64_t{w_dims[1]} * w_dims[2] * w_dims[3];
  split(platform, items, bounded_count(conv.y) * taps, conv_items, &conv);
  return ok_status();
}

}  // namespace

constexpr Kernel kConvKernel = {
    .op = Op::kConv,
    .check = check_conv,
    .run = run_conv,
    .scratch_bytes = nullptr,
    .weight_layouts = 1u << static_cast<uint32_t>(Layout::kStrided) |
                      1u << static_cast<uint32_t>(Layout::kPanel16),
    .alignment = alignof(float),
    .tail_bytes = 0,
    .parallel = true,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
