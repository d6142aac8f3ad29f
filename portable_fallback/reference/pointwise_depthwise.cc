// Pointwise and depthwise convolution: sixteen channels at a time, the pointwise result anew for
// each tap, so that it takes no memory.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/packings.h"
#include "ops/window.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/conv_block.h"
#include "portable_fallback/shared/conv_geometry.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

Window window_of(const Step& step, uint32_t axis) {
  return taps_window(step.attributes<PointwiseDepthwiseAttributes>(), step.input(0), step.input(3),
                     axis);
}

struct PointwiseDepthwise : ConvGeometry {
  explicit PointwiseDepthwise(const Step& step)
      : ConvGeometry(step, 1, window_of(step, 0), window_of(step, 1), false),
        inner_bias(step.input(2)),
        taps(step.input(3)),
        bias(step.input(4)),
        attributes(step.attributes<PointwiseDepthwiseAttributes>()) {
    height.kernel = taps.dims[0];  // also without input channels: biases remain
  }

  Tensor inner_bias, taps;
  Tensor bias;  // of the depthwise convolution, at which the sums of a block begin
  PointwiseDepthwiseAttributes attributes;
};

// Adds what one tap, at `tap`, takes from the place of x at `x`.
template <typename W>
void add_tap(const PointwiseDepthwise& conv, const ConvBlock<W>& block, uint32_t first,
             Src<float> x, Src<float> tap, float* acc) {
  const uint32_t count = block.product.count;
  Src<float> bias = conv.inner_bias.read<float>();
  float inner[kBlock] = {};
  for (uint32_t j = 0; j < count; ++j) {
    inner[j] = bias[size_t{first + j} * conv.inner_bias.strides[0]];
  }
  add_products(block.product, x, block.w, inner);
  activate(conv.attributes.inner_activation, inner, inner, count);
  for (uint32_t j = 0; j < count; ++j) {
    acc[j] += inner[j] * tap[size_t{first + j} * conv.taps.strides[2]];
  }
}

template <typename W>
void compute_row(const PointwiseDepthwise& conv, const ConvBlock<W>& block, const ConvItem& at) {
  const Taps rows = conv.height.taps(at.oh);
  Src<float> taps = conv.taps.read<float>();
  for (uint32_t ow = 0; ow < conv.y.dims[3]; ++ow) {
    const Taps columns = conv.width.taps(ow);
    const auto add = [&](float* acc) {
      for (uint32_t h = rows.begin; h < rows.end; ++h) {
        const auto ih = static_cast<size_t>(conv.height.position(at.oh, h));
        for (uint32_t w = columns.begin; w < columns.end; ++w) {
          const auto iw = static_cast<size_t>(conv.width.position(ow, w));
          add_tap(conv, block, at.o, block.x + ih * conv.x.strides[2] + iw * conv.x.strides[3],
                  taps + size_t{h} * conv.taps.strides[0] + size_t{w} * conv.taps.strides[1], acc);
        }
      }
    };
    compute_place(conv, block, conv.attributes.activation, block.y + ow * size_t{conv.y.strides[3]},
                  add);
  }
}

template <typename W>
void compute_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& conv = *static_cast<const PointwiseDepthwise*>(argument);
  for (uint32_t item = first; item < last; ++item) {
    const ConvItem at = conv.item(item);
    compute_row(conv, block_of<W>(conv, at), at);
  }
}

template <typename W>
Status run_with(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  PointwiseDepthwise conv(step);
  const uint64_t taps = uint64_t{conv.height.kernel} * conv.width.kernel;
  split(platform, conv.items(), conv.work() * taps, compute_items<W>, &conv);
  return ok_status();
}

Status run_floats(const Step& step, const Platform& platform) {
  return run_with<float>(step, platform);
}

Status run_halves(const Step& step, const Platform& platform) {
  return for_half_weights(step.input(1).dtype(),
                          [&]<typename W>() { return run_with<W>(step, platform); });
}

}  // namespace

constexpr Form kPointwiseDepthwiseForm0 = make_form(Op::kPointwiseDepthwise, 0,
                                                    {
                                                        .parallel = true,
                                                        .packings = kPanelPackings,
                                                        .accepts = reads_float32_weights,
                                                        .run = run_floats,
                                                    });
ARENITE_FORM_CODE(PointwiseDepthwise, 0)
// Weights of 16 bits.
constexpr Form kPointwiseDepthwiseForm2 = make_form(Op::kPointwiseDepthwise, 2,
                                                    {
                                                        .parallel = true,
                                                        .packings = kPanelPackings,
                                                        .accepts = reads_half_weights,
                                                        .run = run_halves,
                                                    });
ARENITE_FORM_CODE(PointwiseDepthwise, 2)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
