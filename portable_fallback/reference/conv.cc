// Convolution over one or two spatial dims: sixteen output channels at a time, taps in the order
// kh, kw, input channel.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/packings.h"
#include "ops/window.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/blocked_rows.h"
#include "portable_fallback/shared/conv_block.h"
#include "portable_fallback/shared/conv_geometry.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

struct Conv : ConvGeometry {
  Conv(const Step& step, bool serial);

  // Elements from the start of r to an item's row.
  size_t r_offset(const ConvItem& at) const {
    return size_t{at.n} * r.strides[0] + size_t{at.o} * r.strides[1] + size_t{at.oh} * r.strides[2];
  }

  Tensor bias, r;
  ConvAttributes attributes;
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
             [&](Src<float> x, Weights<W> w) { add_products(block.product, x, w, acc); });
  } else if (block.product.count == kBlock && x_c == 1 && conv.w_o == 1) {
    // As in add_products: unrolled, the sums stay in registers.
    float sums[kBlock];
#pragma GCC unroll 16
    for (uint32_t j = 0; j < kBlock; ++j) sums[j] = acc[j];
    for_taps(conv, block, taps, [&](Src<float> x, Weights<W> w) {
#pragma GCC unroll 16
      for (uint32_t j = 0; j < kBlock; ++j) sums[j] += x[j] * float{w[j]};
    });
#pragma GCC unroll 16
    for (uint32_t j = 0; j < kBlock; ++j) acc[j] = sums[j];
  } else {
    for_taps(conv, block, taps, [&](Src<float> x, Weights<W> w) {
      for (uint32_t j = 0; j < block.product.count; ++j)
        acc[j] += x[j * x_c] * float{w[j * conv.w_o]};
    });
  }
}

template <typename W>
void compute_row(const Conv& conv, const ConvBlock<W>& block, const ConvItem& at) {
  const uint32_t oh = at.oh;
  Src<float> r = nullptr;
  if (conv.r.data != nullptr) r = conv.r.read<float>() + conv.r_offset(at);
  ConvTaps taps = {conv.height.taps(oh), {}, conv.height.start(oh), 0};
  const uint32_t output_width = conv.y.dims[3];
  for (uint32_t ow = 0; ow < output_width; ++ow) {
    taps.w = conv.width.taps(ow);
    taps.left = conv.width.start(ow);
    compute_place(conv, block, conv.attributes.activation, block.y + ow * size_t{conv.y.strides[3]},
                  [&](float* acc) {
                    add_window(conv, block, taps, acc);
                    if (r == nullptr) return;
                    Src<float> place = r + ow * size_t{conv.r.strides[3]};
                    for (uint32_t j = 0; j < at.count; ++j) {
                      acc[j] += place[j * size_t{conv.r.strides[1]}];
                    }
                  });
  }
}

template <typename W>
void conv_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& conv = *static_cast<const Conv*>(argument);
  for (uint32_t item = first; item < last; ++item) {
    const ConvItem at = conv.item(item);
    compute_row(conv, block_of<W>(conv, at), at);
  }
}

Window window_of(const Step& step, uint32_t axis) {
  return conv_window(step.attributes<ConvAttributes>(), step.input(0), step.input(1), axis);
}

Conv::Conv(const Step& step, bool serial)
    : ConvGeometry(step, step.attributes<ConvAttributes>().groups, window_of(step, 0),
                   window_of(step, 1), serial),
      attributes(step.attributes<ConvAttributes>()) {
  if (step.has_input(2)) bias = step.input(2);
  if (step.has_input(kResidualInput)) r = step.input(kResidualInput);
}

template <typename W>
Status run_conv_of(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  Conv conv(step, step.serial());
  if constexpr (WeightsOf<W>::kInRows) conv.read_rows();
  split(platform, conv.items(), conv.work(), conv_items<W>, &conv);
  return ok_status();
}

Status run_conv(const Step& step, const Platform& platform) {
  return run_conv_of<float>(step, platform);
}

Status run_conv_of_halves(const Step& step, const Platform& platform) {
  return for_half_weights(step.input(1).dtype(),
                          [&]<typename W>() { return run_conv_of<W>(step, platform); });
}

Status run_conv_in_blocks(const Step& step, const Platform& platform) {
  return run_conv_of<InBlocks>(step, platform);
}

uint64_t conv_distance(const Step& step, uint32_t input) {
  if (input != 0 && input != kResidualInput) return kNoOverlap;
  if (is_empty(step.output(0))) return 0;
  const Conv conv(step, true);
  return input == 0 ? conv.safe_distance() : conv.residual_distance(conv.r);
}

}  // namespace

constexpr Form kConvForm0 = make_form(Op::kConv, 0,
                                      {
                                          .parallel = true,
                                          .in_place = in_place_of(kResidualInput),
                                          .packings = kPanelPackings,
                                          .safe_distance = conv_distance,
                                          .accepts = reads_float32_weights,
                                          .run = run_conv,
                                      });
ARENITE_FORM_CODE(Conv, 0)
// Weights of 16 bits.
constexpr Form kConvForm2 = make_form(Op::kConv, 2,
                                      {
                                          .parallel = true,
                                          .in_place = in_place_of(kResidualInput),
                                          .packings = kPanelPackings,
                                          .safe_distance = conv_distance,
                                          .accepts = reads_half_weights,
                                          .run = run_conv_of_halves,
                                      });
ARENITE_FORM_CODE(Conv, 2)
// Weights in blocks of any size.
constexpr Form kConvForm5 = make_form(Op::kConv, 5,
                                      {
                                          .parallel = true,
                                          .in_place = in_place_of(kResidualInput),
                                          .packings = kAnyBlocks,
                                          .safe_distance = conv_distance,
                                          .accepts = takes_any_blocks,
                                          .run = run_conv_in_blocks,
                                      });
ARENITE_FORM_CODE(Conv, 5)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
