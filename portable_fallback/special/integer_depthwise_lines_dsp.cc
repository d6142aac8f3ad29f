// Depthwise convolution of 8-bit integers with windows of one line, as those of sounds are, with
// Arm's DSP extension: a line is computed in pieces, so that outputs overlap inputs by pieces.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/window.h"
#include "portable_fallback/fast/integer_depthwise_dsp_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

constexpr uint32_t kTapsMax = 1024;  // as those of windows of 32 by 32

// Making a tap's pairs takes as many instructions as a tap of one or two places.
constexpr uint32_t kPiece = 16;
constexpr uint32_t places_at_once(uint32_t left) { return left < kPiece ? left : kPiece; }

struct LineWork {
  DspDepthwise depthwise;
  size_t x_n, y_n;         // elements between images
  uint32_t lines, pieces;  // of an image, of a line
  uint32_t row_words;
};

void compute_piece(const LineWork& work, uint32_t item, uint32_t* rows) {
  DspDepthwise d = work.depthwise;
  IntegerProducts& p = d.products;
  const uint32_t all_lines = item / work.pieces;
  const uint32_t image = all_lines / work.lines;
  const uint32_t place = (item - all_lines * work.pieces) * kPiece;
  p.rows = rows;
  p.y += image * work.y_n + place * p.y_w;
  p.x += image * work.x_n;
  p.out_w = places_at_once(p.out_w - place);
  // The piece is a line of its own, that begins at the first pixel of x that it reads.
  const uint32_t left = place * p.stride_w;
  if (left <= p.pad_w) {
    p.pad_w -= left;
  } else {
    const uint32_t skipped = left - p.pad_w < p.in_w ? left - p.pad_w : p.in_w;
    p.x += skipped * p.x_w;
    p.in_w -= skipped;
    p.pad_w = 0;
  }
  add_depthwise_dsp(d, all_lines - image * work.lines);
}

void line_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const LineWork*>(argument);
  uint32_t* rows = work.depthwise.products.rows + size_t{thread} * work.row_words;
  for (uint32_t item = first; item < last; ++item) compute_piece(work, item, rows);
}

uint32_t row_words(const Step& step) {
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  const uint32_t places = places_at_once(step.output(0).dims[3]);
  const uint32_t taps = step.input(1).dims[3];
  return dsp_depthwise_words(dsp_depthwise_pixels(places, attributes.stride[1], taps), 1, taps);
}

bool takes_lines(const Step& step) {
  return takes_depthwise_products(step, 1, kTapsMax, ColumnsOfChannel::kAny);
}

ScratchNeed lines_scratch(const Step& step) { return rows_scratch(row_words(step)); }

uint64_t lines_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  // What each four columns of some places need is read, then they are written.
  DistanceNest nest(1);
  nest.add(DistanceLoop::shared_blocks(y.dims[1], 4, y.dims[1] / attributes.groups));
  nest.add(DistanceLoop::window_pieces(conv_window(attributes, x, step.input(1), 1), y.dims[3],
                                       y.strides[3], x.strides[3], places_at_once));
  return distance_of_lines(attributes, x, step.input(1), y, nest);
}

Status run_lines(const Step& step, const Platform& platform) {
  const OutTensor y = step.output(0);
  const auto attributes = step.attributes<QuantizedConvAttributes>();
  const Tensor w = step.input(1);
  const uint32_t taps = w.dims[3];
  LineWork work = {{conv_products(step), w.strides[2], w.strides[3], y.dims[1] / attributes.groups},
                   step.input(0).strides[0],
                   y.strides[0],
                   y.dims[2],
                   blocks_over(y.dims[3], kPiece),
                   row_words(step)};
  IntegerProducts& p = work.depthwise.products;
  const uint32_t products = products_of(taps, attributes.w_zero_point);
  p.results = integer_results(step, attributes.output, products);
  find_small_outputs(p.results, p.columns, products);
  split(platform, y.dims[0] * work.lines * work.pieces, element_count(y) * work_of_result(taps),
        line_items, &work);
  return ok_status();
}

}  // namespace

constexpr Form kQuantizedConvForm12 = make_form(Op::kQuantizedConv, 12,
                                                {.parallel = true,
                                                 .scratch = lines_scratch,
                                                 .safe_distance = lines_distance,
                                                 .accepts = takes_lines,
                                                 .run = run_lines});
ARENITE_FORM_CODE(QuantizedConv, 12)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
