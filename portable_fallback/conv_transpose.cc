// Transposed convolution over up to three spatial dims: sixteen output channels at a time, each
// output position adding up the taps that reach it in the order kd, kh, kw, input channel.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/panels.h"
#include "portable_fallback/activation.h"
#include "portable_fallback/block.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/split.h"
#include "portable_fallback/transposed_geometry.h"

namespace arenite {
namespace {

struct ConvTranspose : TransposedGeometry {
  explicit ConvTranspose(const Step& step)
      : TransposedGeometry(step, step.attributes<ConvTransposeAttributes>()),
        activation(step.attributes<ConvTransposeAttributes>().activation) {
    if (step.has_input(2)) bias = step.input(2);
  }

  Tensor bias;
  Activation activation;
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
  conv.for_taps(row.taps, [&](size_t x, size_t w) { tap(row.x + x, row.w + w); });
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
    activate(conv.activation, acc, acc, count);
    Dst<float> y = row.y + ow * size_t{conv.y.strides[4]};
    if (y_c == 1 && count == kBlock) {
      put(y, acc, kBlock);
    } else {
      for (uint32_t j = 0; j < count; ++j) y[j * y_c] = acc[j];
    }
  }
}

template <typename W>
void conv_transpose_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& conv = *static_cast<const ConvTranspose*>(argument);
  const bool panels = conv.w.layout() == Layout::kPanel16;
  for (uint32_t item = first; item < last; ++item) {
    const TransposedItem at = conv.item(item);
    TransposedRow<W> row;
    row.product.count = at.count;
    row.product.full = panels || (conv.w_o == 1 && row.product.count == kBlock);
    row.product.x_k = conv.x.strides[1];
    row.product.w_k = conv.w_i;
    row.product.w_n = conv.w_o;
    row.product.k = conv.w.dims[1];
    row.x = conv.x.read<float>() + conv.x_offset(at);
    row.w = conv.w.read<W>() + conv.w_offset(at);
    row.bias = conv.bias.data == nullptr
                   ? nullptr
                   : conv.bias.read<float>() + size_t{at.o} * conv.bias.strides[0];
    row.y = conv.y.write<float>() + conv.y_offset(at);
    row.taps[0] = conv.windows[0].taps(at.od);
    row.taps[1] = conv.windows[1].taps(at.oh);
    compute_row(conv, row);
  }
}

template <typename W>
Status run_conv_transpose_of(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  ConvTranspose conv(step);
  split(platform, conv.items(), conv.work(), conv_transpose_items<W>, &conv);
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
