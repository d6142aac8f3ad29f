// Quantized convolution, to whose results a residual comes: a channel of a place at a time.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/window.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/channel_ends.h"
#include "portable_fallback/shared/conv_geometry.h"
#include "portable_fallback/shared/integer_block.h"
#include "portable_fallback/shared/quantized_sum.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

using Attributes = QuantizedConvAddAttributes;

Window window_of(const Step& step, uint32_t axis) {
  return conv_window(step.attributes<Attributes>().conv, step.input(0), step.input(1), axis);
}

struct QuantizedConvAdd : ConvGeometry {
  explicit QuantizedConvAdd(const Step& step)
      : ConvGeometry(step, step.attributes<Attributes>().conv.groups, window_of(step, 0),
                     window_of(step, 1), false),
        ends(step.input(2)),
        r(step.input(kResidualInput)),
        attributes(step.attributes<Attributes>()) {}

  Tensor ends, r;
  Attributes attributes;
};

// The products of tap (h, v) of output channel o, over the input channels from x_at on or, where
// x_at is null, of what lies outside x.
uint32_t tap_sum(const QuantizedConvAdd& conv, const size_t* x_at, size_t w_at) {
  const QuantizedConvAttributes& a = conv.attributes.conv;
  const IntegerRow x(conv.x, x_at == nullptr ? 0 : *x_at, conv.x.strides[1]);
  const IntegerRow w(conv.w, w_at, conv.w_i);
  uint32_t sum = 0;
  for (uint32_t c = 0; c < conv.w.dims[1]; ++c) {
    const auto number = x_at == nullptr ? a.outside : static_cast<int32_t>(x[c]);
    sum += static_cast<uint32_t>((number - a.x_zero_point) *
                                 (static_cast<int32_t>(w[c]) - a.w_zero_point));
  }
  return sum;
}

// Computes the convolution's result, requantized, for channel o of a place.
int32_t conv_result(const QuantizedConvAdd& conv, const ConvItem& at, uint32_t o, uint32_t ow) {
  const Taps rows = conv.height.taps(at.oh), columns = conv.width.taps(ow);
  // The channels of a depthwise convolution are its groups.
  const size_t image =
      conv.x_offset(at) + (conv.depthwise ? size_t{o - at.o} * conv.x.strides[1] : 0);
  uint32_t sum = 0;
  for (uint32_t h = 0; h < conv.height.kernel; ++h) {
    for (uint32_t v = 0; v < conv.width.kernel; ++v) {
      const size_t w_at = o * conv.w_o + h * conv.w_h + v * conv.w_w;
      const bool inside = h >= rows.begin && h < rows.end && v >= columns.begin && v < columns.end;
      if (!inside) {
        sum += tap_sum(conv, nullptr, w_at);
        continue;
      }
      const size_t x_at = image +
                          static_cast<size_t>(conv.height.position(at.oh, h)) * conv.x.strides[2] +
                          static_cast<size_t>(conv.width.position(ow, v)) * conv.x.strides[3];
      sum += tap_sum(conv, &x_at, w_at);
    }
  }
  return ChannelEnds(conv.ends, o).result(sum, conv.attributes.conv.output);
}

void compute_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& conv = *static_cast<const QuantizedConvAdd*>(argument);
  Dst<uint8_t> y = conv.y.write<uint8_t>();  // of int8 the same bits
  for (uint32_t item = first; item < last; ++item) {
    const ConvItem at = conv.item(item);
    for (uint32_t ow = 0; ow < conv.y.dims[3]; ++ow) {
      const size_t y_at = conv.y_offset(at) + size_t{ow} * conv.y.strides[3];
      const size_t r_at = size_t{at.n} * conv.r.strides[0] + size_t{at.o} * conv.r.strides[1] +
                          size_t{at.oh} * conv.r.strides[2] + size_t{ow} * conv.r.strides[3];
      const IntegerRow r(conv.r, r_at, conv.r.strides[1]);
      for (uint32_t j = 0; j < at.count; ++j) {
        const int32_t number = conv_result(conv, at, at.o + j, ow);
        y[y_at + size_t{j} * conv.y.strides[1]] = static_cast<uint8_t>(
            QuantizedSum::apply(conv.attributes.sum, number, static_cast<int32_t>(r[j])));
      }
    }
  }
}

Status run(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  QuantizedConvAdd conv(step);
  split(platform, conv.items(), conv.work(), compute_items, &conv);
  return ok_status();
}

}  // namespace

constexpr Form kQuantizedConvAddForm1 =
    make_form(Op::kQuantizedConvAdd, 1, {.parallel = true, .run = run});
ARENITE_FORM_CODE(QuantizedConvAdd, 1)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
