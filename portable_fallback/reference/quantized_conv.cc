// Convolution of integers over one or two spatial dims: sixteen output channels at a time.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/quantized.h"
#include "ops/window.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/conv_geometry.h"
#include "portable_fallback/shared/integer_block.h"
#include "portable_fallback/shared/integer_product_form.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

Window window_of(const Step& step, uint32_t axis) {
  return conv_window(step.attributes<QuantizedConvAttributes>(), step.input(0), step.input(1),
                     axis);
}

ConvGeometry geometry_of(const Step& step, bool serial) {
  return {step, step.attributes<QuantizedConvAttributes>().groups, window_of(step, 0),
          window_of(step, 1), serial};
}

template <typename Sum>
struct QuantizedConv : ConvGeometry {
  QuantizedConv(const Step& step, const QuantizedConvAttributes& attributes,
                const IntegerLoops<Sum>& loops);

  void read_rows();

  IntegerSums<Sum> sums;
  int32_t x_zero_point;
  Sum above;        // what lies outside, less the zero point
  bool joined;      // the taps of a row are neighbors in x and w: one run of products
  size_t x_h, x_w;  // bytes between neighbors in x
};

template <typename Sum>
QuantizedConv<Sum>::QuantizedConv(const Step& step, const QuantizedConvAttributes& attributes,
                                  const IntegerLoops<Sum>& loops)
    : ConvGeometry(geometry_of(step, step.serial())),
      sums(step, attributes.x_zero_point, attributes.w_zero_point, attributes.output, loops) {
  const bool at_run_time = sums.x_zero_points.data != nullptr;
  const int64_t zero_point =
      at_run_time ? IntegerRow(sums.x_zero_points, 0, 0)[0] : attributes.x_zero_point;
  x_zero_point = static_cast<int32_t>(zero_point);
  above = at_run_time ? Sum{0} : static_cast<Sum>(attributes.outside - zero_point);
  x_h = size_t{x.strides[2]} * sums.x_bytes;
  x_w = size_t{x.strides[3]} * sums.x_bytes;
  const size_t k = w.dims[1];
  joined =
      depthwise || (w_w == k * w_i && size_t{width.dilation} * x.strides[3] == k * x.strides[1]);
}

template <typename Sum>
void QuantizedConv<Sum>::read_rows() {
  ConvGeometry::read_rows();
  sums.read_blocks(w);
  // In w taps are neighbors now.
  joined = depthwise || size_t{width.dilation} * x.strides[3] == size_t{w.dims[1]} * x.strides[1];
}

// The starts of a block's data.
struct QuantizedConvBlock {
  Src<std::byte> x;  // of the image, at the block's first input channel
  IntegerWeights w;  // of the block's first output channel
  Dst<std::byte> y;  // likewise, at the row
  IntegerProduct product;
  IntegerEnds ends;
};

// Calls run(first tap, product) for taps [first, last) of a row: for all at once, or one by one.
template <typename Sum, typename F>
void for_runs(const QuantizedConv<Sum>& conv, const IntegerProduct& product, Taps taps, F run) {
  if (conv.joined) {
    IntegerProduct whole = product;
    whole.k *= taps.end - taps.begin;
    if (taps.begin != taps.end) run(taps.begin, whole);
  } else {
    for (uint32_t w = taps.begin; w < taps.end; ++w) run(w, product);
  }
}

template <typename Sum>
void add_window(const QuantizedConv<Sum>& conv, const QuantizedConvBlock& block,
                const ConvTaps& taps, Sum* acc, Sum* moved) {
  for (uint32_t h = 0; h < conv.height.kernel; ++h) {
    const IntegerWeights w = block.w + h * conv.w_h;
    const auto outside = [&](uint32_t first, const IntegerProduct& product) {
      conv.sums.add_above(product, w + first * conv.w_w, conv.above, acc, moved);
    };
    if (h < taps.h.begin || h >= taps.h.end) {
      if (conv.above != 0) for_runs(conv, block.product, {0, conv.width.kernel}, outside);
      continue;
    }
    const int32_t ih = taps.top + static_cast<int32_t>(h * conv.height.dilation);
    Src<std::byte> row = block.x + static_cast<size_t>(ih) * conv.x_h;
    for_runs(conv, block.product, taps.w, [&](uint32_t first, const IntegerProduct& product) {
      const int32_t iw = taps.left + static_cast<int32_t>(first * conv.width.dilation);
      conv.sums.add(product, row + static_cast<size_t>(iw) * conv.x_w, w + first * conv.w_w,
                    conv.x_zero_point, acc, moved);
    });
    if (conv.above == 0) continue;
    for_runs(conv, block.product, {0, taps.w.begin}, outside);
    for_runs(conv, block.product, {taps.w.end, conv.width.kernel}, outside);
  }
}

template <typename Sum>
void compute_row(const QuantizedConv<Sum>& conv, const QuantizedConvBlock& block, uint32_t oh) {
  ConvTaps taps = {conv.height.taps(oh), {}, conv.height.start(oh), 0};
  Dst<std::byte> y = block.y;
  for (uint32_t ow = 0; ow < conv.y.dims[3]; ++ow) {
    taps.w = conv.width.taps(ow);
    taps.left = conv.width.start(ow);
    Sum acc[kBlock];
    Sum moved[kBlock] = {};
    conv.sums.start(block.ends, block.product.count, acc);
    add_window(conv, block, taps, acc, moved);
    conv.sums.finish(block.product, block.ends, acc, moved, y, conv.y.strides[1]);
    y += size_t{conv.y.strides[3]} * conv.sums.y_bytes;
  }
}

template <typename Sum>
void quantized_conv_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& conv = *static_cast<const QuantizedConv<Sum>*>(argument);
  const IntegerSums<Sum>& sums = conv.sums;
  for (uint32_t index = first; index < last; ++index) {
    const ConvItem at = conv.item(index);
    QuantizedConvBlock block;
    // In a depthwise convolution a run is the taps of a row.
    const size_t x_step = size_t{conv.width.dilation} * conv.x.strides[3];
    block.product = {.x_k = conv.depthwise ? x_step : conv.x.strides[1],
                     .x_n = conv.depthwise ? conv.x.strides[1] : size_t{0},
                     .w_k = conv.depthwise ? conv.w_w : conv.w_i,
                     .w_n = conv.w_o,
                     .k = conv.w.dims[1],
                     .count = at.count};
    block.x = conv.x.template read<std::byte>() + conv.x_offset(at) * sums.x_bytes;
    block.w = sums.weights(conv.w, conv.w_offset(at));
    block.y = conv.y.template write<std::byte>() + conv.y_offset(at) * sums.y_bytes;
    block.ends = sums.ends_of_channels(at.o);
    compute_row(conv, block, at.oh);
  }
}

template <typename Sum, LoopsOf<Sum> kLoopsOf, bool kInRows = false>
Status run_quantized_conv(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  QuantizedConv<Sum> conv(step, step.attributes<QuantizedConvAttributes>(), kLoopsOf(step));
  if constexpr (kInRows) conv.read_rows();
  split(platform, conv.items(), conv.work(), quantized_conv_items<Sum>, &conv);
  return ok_status();
}

uint64_t quantized_conv_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  return is_empty(step.output(0)) ? 0 : geometry_of(step, true).safe_distance();
}

}  // namespace

constexpr Form kQuantizedConvForm1 =
    integer_product_form(Op::kQuantizedConv, 1, quantized_conv_distance,
                         run_quantized_conv<uint32_t, stored_loops<uint32_t>>);
ARENITE_FORM_CODE(QuantizedConv, 1)
// For x of int16.
constexpr Form kQuantizedConvForm2 =
    integer_product_form(Op::kQuantizedConv, 2, quantized_conv_distance,
                         run_quantized_conv<uint64_t, stored_loops<uint64_t>>);
ARENITE_FORM_CODE(QuantizedConv, 2)
// For packed weights.
constexpr Form kQuantizedConvForm3 =
    of_packed_weights(kQuantizedConvForm1, 3, run_quantized_conv<uint32_t, packed_loops<uint32_t>>);
ARENITE_FORM_CODE(QuantizedConv, 3)
constexpr Form kQuantizedConvForm4 =
    of_packed_weights(kQuantizedConvForm2, 4, run_quantized_conv<uint64_t, packed_loops<uint64_t>>);
ARENITE_FORM_CODE(QuantizedConv, 4)
// For weights in blocks.
constexpr Form kQuantizedConvForm5 = of_blocked_weights(
    kQuantizedConvForm1, 5, run_quantized_conv<uint32_t, blocked_loops<uint32_t>, true>);
ARENITE_FORM_CODE(QuantizedConv, 5)
constexpr Form kQuantizedConvForm6 = of_blocked_weights(
    kQuantizedConvForm2, 6, run_quantized_conv<uint64_t, blocked_loops<uint64_t>, true>);
ARENITE_FORM_CODE(QuantizedConv, 6)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
