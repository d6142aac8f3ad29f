// Transposed convolution over up to three spatial dims: sixteen output channels at a time, each
// output position adding up the taps that reach it in the order kd, kh, kw, input channel.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/panels.h"
#include "ops/window.h"
#include "portable_fallback/activation.h"
#include "portable_fallback/block.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/split.h"

namespace arenite {
namespace {

struct ConvTranspose {
  explicit ConvTranspose(const Step& step);

  Tensor x, w, bias;
  OutTensor y;
  ConvTransposeAttributes attributes;
  TransposedWindow windows[3];
  bool depthwise;          // one input and one output channel per group: blocks span groups
  uint32_t loop_groups;    // groups looped over: 1 when depthwise
  uint32_t group_outputs;  // output channels of such a group
  uint32_t blocks;         // of 16 output channels in such a group
  size_t w_o, w_i, w_k[3];
};

// One row of one block of output channels: where its data starts; its weights are of type W.
template <typename W>
struct TransposedRow {
  Src<float> x;     // of the image, at the block's first input channel
  Src<W> w;         // of the block's first output channel
  Src<float> bias;  // likewise; null without
  Dst<float> y;     // likewise, at the row
  BlockProduct product;
  TransposedTaps taps[3];
};

// Calls tap(x, w) for each tap that reaches an output position, in order.
template <typename W, typename F>
void for_taps(const ConvTranspose& conv, const TransposedRow<W>& row, F tap) {
  const auto x_at = [&](uint32_t axis, uint32_t i) {
    return size_t{row.taps[axis].position - i * conv.windows[axis].input_step} *
           conv.x.strides[2 + axis];
  };
  const auto w_at = [&](uint32_t axis, uint32_t i) {
    return size_t{row.taps[axis].first + i * conv.windows[axis].tap_step} * conv.w_k[axis];
  };
  for (uint32_t d = 0; d < row.taps[0].count; ++d) {
    for (uint32_t h = 0; h < row.taps[1].count; ++h) {
      Src<float> x = row.x + x_at(0, d) + x_at(1, h);
      Src<W> w = row.w + w_at(0, d) + w_at(1, h);
      for (uint32_t v = 0; v < row.taps[2].count; ++v) tap(x + x_at(2, v), w + w_at(2, v));
    }
  }
}

template <typename W>
void add_taps(const ConvTranspose& conv, const TransposedRow<W>& row, float* acc) {
  if (!conv.depthwise) {
    for_taps(conv, row, [&](Src<float> x, Src<W> w) { add_products(row.product, x, w, acc); });
    return;
  }
  const size_t x_c = conv.x.strides[1];
  for_taps(conv, row, [&](Src<float> x, Src<W> w) {
    for (uint32_t j = 0; j < row.product.count; ++j) acc[j] += x[j * x_c] * float{w[j * conv.w_o]};
  });
}

template <typename W>
void compute_row(const ConvTranspose& conv, TransposedRow<W>& row) {
  const uint32_t count = row.product.count;
  const size_t y_c = conv.y.strides[1];
  for (uint32_t ow = 0; ow < conv.y.dims[4]; ++ow) {
    row.taps[2] = conv.windows[2].taps(ow);
    float acc[kBlock] = {};
    if (row.bias != nullptr) {
      for (uint32_t j = 0; j < count; ++j) acc[j] = row.bias[j * conv.bias.strides[0]];
    }
    add_taps(conv, row, acc);
    activate(conv.attributes.activation, acc, acc, count);
    Dst<float> y = row.y + ow * size_t{conv.y.strides[4]};
    if (y_c == 1 && count == kBlock) {
      put(y, acc, kBlock);
    } else {
      for (uint32_t j = 0; j < count; ++j) y[j * y_c] = acc[j];
    }
  }
}

// Items: image, group, block of output channels, output slice, output row, the last fastest, so
// that a block's weights are used for all rows while they are near.
template <typename W>
void conv_transpose_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& conv = *static_cast<const ConvTranspose*>(argument);
  const bool panels = conv.w.layout() == Layout::kPanel16;
  const uint32_t* dims = conv.y.dims;
  const size_t k = size_t{conv.w.dims[1]} * conv.w.dims[2] * conv.w.dims[3] * conv.w.dims[4];
  for (uint32_t item = first; item < last; ++item) {
    uint32_t rest = item;
    const uint32_t oh = rest % dims[3];
    rest /= dims[3];
    const uint32_t od = rest % dims[2];
    rest /= dims[2];
    const uint32_t b = rest % conv.blocks;
    rest /= conv.blocks;
    const uint32_t g = rest % conv.loop_groups;
    const uint32_t n = rest / conv.loop_groups;
    const uint32_t o = g * conv.group_outputs + b * kBlock;
    const uint32_t c = conv.depthwise ? o : g * conv.w.dims[1];
    const uint32_t left = conv.group_outputs - b * kBlock;
    TransposedRow<W> row;
    row.product.count = left < kBlock ? left : kBlock;
    row.product.full = panels || (conv.w_o == 1 && row.product.count == kBlock);
    row.product.x_k = conv.x.strides[1];
    row.product.w_k = conv.w_i;
    row.product.w_n = conv.w_o;
    row.product.k = conv.w.dims[1];
    row.x = conv.x.read<float>() + size_t{n} * conv.x.strides[0] + size_t{c} * conv.x.strides[1];
    // A panel of 16 outputs takes 16 * K elements.
    row.w = conv.w.read<W>() + o * (panels ? k : conv.w_o);
    row.bias = conv.bias.data == nullptr
                   ? nullptr
                   : conv.bias.read<float>() + size_t{o} * conv.bias.strides[0];
    row.y = conv.y.write<float>() + size_t{n} * conv.y.strides[0] + size_t{o} * conv.y.strides[1] +
            size_t{od} * conv.y.strides[2] + size_t{oh} * conv.y.strides[3];
    row.taps[0] = conv.windows[0].taps(od);
    row.taps[1] = conv.windows[1].taps(oh);
    compute_row(conv, row);
  }
}

ConvTranspose::ConvTranspose(const Step& step)
    : x(step.input(0)),
      w(step.input(1)),
      y(step.output(0)),
      attributes(step.attributes<ConvTransposeAttributes>()) {
  if (step.has_input(2)) bias = step.input(2);
  for (uint32_t axis = 0; axis < 3; ++axis) {
    windows[axis] = transposed_window(attributes, x, w, axis);
  }
  // Nothing to add up; the other dims of what is empty may be any number.
  if (is_empty(x) || is_empty(w)) windows[0].kernel = 0;
  depthwise = w.dims[1] == 1 && w.dims[0] == attributes.groups;
  loop_groups = depthwise ? 1 : attributes.groups;
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

template <typename W>
Status run_conv_transpose_of(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  ConvTranspose conv(step);
  const uint32_t* dims = conv.y.dims;
  const uint32_t items = dims[0] * conv.loop_groups * conv.blocks * dims[2] * dims[3];
  uint64_t work = element_count(conv.y) * conv.w.dims[1];
  for (uint32_t axis = 0; axis < 3; ++axis) {
    work *= conv.w.dims[2 + axis] / conv.windows[axis].stride + 1;
  }
  split(platform, items, work, conv_transpose_items<W>, &conv);
  return ok_status();
}

Status run_conv_transpose(const Step& step, const Platform& platform) {
  return run_conv_transpose_of<float>(step, platform);
}

Status run_conv_transpose_of_halves(const Step& step, const Platform& platform) {
  return for_half_weights(step.input(1).dtype(),
                          [&]<typename W>() { return run_conv_transpose_of<W>(step, platform); });
}

}  // namespace

constexpr Form kConvTransposeForm0 = {
    .op = Op::kConvTranspose,
    .number = 0,
    .parallel = true,
    .packings = kPackedWeights,
    .types = kConvTransposeTypes,
    .accepts = reads_float32_weights,
    .run = run_conv_transpose,
};
// Weights of 16 bits.
constexpr Form kConvTransposeForm2 = {
    .op = Op::kConvTranspose,
    .number = 2,
    .parallel = true,
    .packings = kPackedWeights,
    .types = kConvTransposeTypes,
    .accepts = reads_half_weights,
    .run = run_conv_transpose_of_halves,
};
constexpr const Form* const kConvTransposeForms[] = {&kConvTransposeForm0, &kConvTransposeForm2,
                                                     nullptr};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
