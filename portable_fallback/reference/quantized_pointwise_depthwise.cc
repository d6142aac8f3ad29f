// Quantized pointwise and depthwise convolution: a channel of a place at a time, the pointwise
// result anew for each tap, so that it takes no memory.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/window.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/channel_ends.h"
#include "portable_fallback/shared/conv_geometry.h"
#include "portable_fallback/shared/conv_results.h"
#include "portable_fallback/shared/integer_block.h"
#include "portable_fallback/shared/result_tables.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

using Attributes = QuantizedPointwiseDepthwiseAttributes;

constexpr uint32_t kTablesInput = 5;

Window window_of(const Step& step, uint32_t axis) {
  return taps_window(step.attributes<Attributes>(), step.input(0), step.input(3), axis);
}

struct QuantizedPointwiseDepthwise : ConvGeometry {
  explicit QuantizedPointwiseDepthwise(const Step& step)
      : ConvGeometry(step, 1, window_of(step, 0), window_of(step, 1), false),
        ends(step.input(2)),
        taps(step.input(3)),
        taps_ends(step.input(4)),
        has_tables(step.has_input(kTablesInput)),
        attributes(step.attributes<Attributes>()) {
    height.kernel = taps.dims[0];  // also without input channels: biases remain
    if (has_tables) tables = step.input(kTablesInput);
  }

  // Looks a result of either convolution up where there are tables.
  int32_t final_result(uint32_t which, int32_t result) const {
    return has_tables ? element_for(tables, which, result) : result;
  }

  Tensor ends, taps, taps_ends;
  bool has_tables;
  Tensor tables = {};
  Attributes attributes;
};

// The pointwise result less its zero point, of the place whose first channel is element x_at of x.
int32_t inner_number(const QuantizedPointwiseDepthwise& conv, const ChannelEnds& ends, size_t x_at,
                     uint32_t o) {
  const Attributes& a = conv.attributes;
  const IntegerRow x(conv.x, x_at, conv.x.strides[1]), w(conv.w, o * conv.w_o, conv.w_i);
  uint32_t sum = 0;
  for (uint32_t c = 0; c < conv.w.dims[1]; ++c) {
    sum += static_cast<uint32_t>((x[c] - a.x_zero_point) * (w[c] - a.w_zero_point));
  }
  return conv.final_result(0, ends.result(sum, a.inner)) - a.inner_zero_point;
}

int32_t result_of(const QuantizedPointwiseDepthwise& conv, const ConvItem& at, uint32_t o,
                  uint32_t ow) {
  const Attributes& a = conv.attributes;
  const ChannelEnds ends(conv.ends, o);
  const Taps rows = conv.height.taps(at.oh), columns = conv.width.taps(ow);
  uint32_t sum = 0;
  for (uint32_t h = rows.begin; h < rows.end; ++h) {
    const IntegerRow taps(conv.taps,
                          size_t{h} * conv.taps.strides[0] + size_t{o} * conv.taps.strides[2],
                          conv.taps.strides[1]);
    const size_t row =
        conv.x_offset(at) + static_cast<size_t>(conv.height.position(at.oh, h)) * conv.x.strides[2];
    for (uint32_t w = columns.begin; w < columns.end; ++w) {
      const size_t x_at = row + static_cast<size_t>(conv.width.position(ow, w)) * conv.x.strides[3];
      sum +=
          static_cast<uint32_t>(inner_number(conv, ends, x_at, o) * (taps[w] - a.taps_zero_point));
    }
  }
  return conv.final_result(1, ChannelEnds(conv.taps_ends, o).result(sum, a.output));
}

void compute_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& conv = *static_cast<const QuantizedPointwiseDepthwise*>(argument);
  store_conv_results(conv, first, last, [&](const ConvItem& at, uint32_t o, uint32_t ow) {
    return static_cast<uint8_t>(result_of(conv, at, o, ow));
  });
}

Status run(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  QuantizedPointwiseDepthwise conv(step);
  const uint64_t taps = uint64_t{conv.height.kernel} * conv.width.kernel;
  split(platform, conv.items(), conv.work() * taps, compute_items, &conv);
  return ok_status();
}

}  // namespace

constexpr Form kQuantizedPointwiseDepthwiseForm1 =
    make_form(Op::kQuantizedPointwiseDepthwise, 1, {.parallel = true, .run = run});
ARENITE_FORM_CODE(QuantizedPointwiseDepthwise, 1)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
