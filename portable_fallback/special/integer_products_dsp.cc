// Convolution and matrix product of 8-bit integers with Arm's DSP extension, which Cortex-M4 has:
// weights lie in blocks of two columns, so that a word of them is two pairs of numbers.
#include "portable_fallback/fast/integer_products_dsp_kernel.h"

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/packings.h"
#include "ops/quantized.h"
#include "ops/window.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/blocked_rows.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/matmul_geometry.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

// Of a line that threads share.
constexpr uint32_t kPlacesOfPiece = 4 * kDspPlaces;

constexpr Blocks kColumnPairs = {.n = 2, .k = 1, .bits = 8};

// Parts (images or batches) of lines, cut into pieces of places that follow each other.
struct DspWork {
  IntegerProducts products;
  size_t x_part, y_part;  // elements between parts
  uint32_t lines, piece;
  uint32_t row_words;  // of a thread

  uint32_t pieces() const { return blocks_over(products.out_w, piece); }
};

void product_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const DspWork*>(argument);
  IntegerProducts p = work.products;
  p.rows += size_t{thread} * work.row_words;
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t line = item / work.pieces() % work.lines;
    const uint32_t part = item / work.pieces() / work.lines;
    const uint32_t place = item % work.pieces() * work.piece;
    const uint32_t left = p.out_w - place;
    p.x = work.products.x + part * work.x_part;
    p.y = work.products.y + part * work.y_part;
    add_products_dsp(p, line, place, place + (left < work.piece ? left : work.piece));
  }
}

// Words of the rows of places that are computed at once.
uint32_t row_words(uint32_t places, uint32_t depth) {
  return dsp_places_at_once(places) * blocks_over(depth, 2);
}

uint64_t depth_of(const Tensor& w) { return uint64_t{w.dims[1]} * w.dims[2] * w.dims[3]; }

// Beyond, scratch would not be a number of 32 bits.
constexpr uint64_t kDepthMax = 1 << 24;

// Whether each place reads the one pixel in its own place, and lines follow each other evenly: then
// all of them are one line.
bool is_one_line(const QuantizedConvAttributes& attributes, const Tensor& x, const Tensor& w,
                 const OutTensor& y) {
  for (uint32_t axis = 0; axis < 2; ++axis) {
    const uint32_t d = 2 + axis;
    if (w.dims[d] != 1 || attributes.stride[axis] != 1 || attributes.pad_begin[axis] != 0 ||
        x.dims[d] != y.dims[d]) {
      return false;
    }
  }
  return x.strides[2] == x.dims[3] * x.strides[3] && y.strides[2] == y.dims[3] * y.strides[3];
}

uint32_t places_of_line(const Step& step) {
  const OutTensor y = step.output(0);
  const bool one =
      is_one_line(step.attributes<QuantizedConvAttributes>(), step.input(0), step.input(1), y);
  return one ? y.dims[2] * y.dims[3] : y.dims[3];
}

bool takes_conv(const Step& step) {
  const auto attributes = step.attributes<QuantizedConvAttributes>();
  const Tensor w = step.input(1);
  return attributes.groups == 1 && !is_empty(step.input(0)) && !is_empty(w) &&
         depth_of(w) < kDepthMax && takes_blocks(step, kColumnPairs) &&
         takes_integer_results(step, attributes.w_zero_point);
}

ScratchNeed conv_scratch(const Step& step) {
  const auto depth = static_cast<uint32_t>(depth_of(step.input(1)));
  return rows_scratch(row_words(places_of_line(step), depth));
}

uint64_t conv_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  if (is_empty(y)) return 0;
  const auto attributes = step.attributes<QuantizedConvAttributes>();
  DistanceNest nest((y.dims[1] - 1) * y.strides[1] + 1);
  Window width = conv_window(attributes, x, w, 1);
  const uint32_t places = places_of_line(step);
  const bool one_line = places != y.dims[3];
  if (one_line) width.input = places;
  nest.add(
      DistanceLoop::window_pieces(width, places, y.strides[3], x.strides[3], dsp_places_at_once));
  if (!one_line) {
    nest.add(DistanceLoop::window(conv_window(attributes, x, w, 0), y.dims[2], y.strides[2],
                                  x.strides[2]));
  }
  nest.add(DistanceLoop::even(y.dims[0], y.strides[0], x.strides[0]));
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

Status run_conv(const Step& step, const Platform& platform) {
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  const auto attributes = step.attributes<QuantizedConvAttributes>();
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const auto depth = static_cast<uint32_t>(depth_of(w));
  IntegerProducts p = conv_products(step);
  p.out_w = places_of_line(step);
  const bool one_line = p.out_w != y.dims[3];
  if (one_line) p.in_w = p.out_w;
  p.results = integer_results(step, attributes.output, depth);
  DspWork work = {p,
                  x.strides[0],
                  y.strides[0],
                  one_line ? 1 : y.dims[2],
                  one_line ? kPlacesOfPiece : p.out_w,
                  row_words(p.out_w, depth)};
  split(platform, y.dims[0] * work.lines * work.pieces(), element_count(y) * depth, product_items,
        &work);
  return ok_status();
}

bool takes_matmul(const Step& step) {
  const auto attributes = step.attributes<QuantizedMatMulAttributes>();
  const OutTensor y = step.output(0);
  // Batches follow each other evenly.
  uint32_t batches = 0;
  for (uint32_t d = 0; d + 2 < y.rank(); ++d) batches += y.dims[d] != 1;
  return batches <= 1 && !is_empty(step.input(0)) && !is_empty(step.input(1)) &&
         step.input(0).dims[y.rank() - 1] < kDepthMax && takes_blocks(step, kColumnPairs) &&
         takes_integer_results(step, attributes.b_zero_point);
}

ScratchNeed matmul_scratch(const Step& step) {
  const MatMulGeometry geometry(step, false);
  return rows_scratch(row_words(geometry.y.dims[geometry.row()], geometry.inner()));
}

// The dim of batches, the last where there are none.
uint32_t batch_dim(const OutTensor& y) {
  uint32_t d = 0;
  while (d + 2 < y.rank() && y.dims[d] == 1) ++d;
  return d;
}

uint64_t matmul_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  const MatMulGeometry geometry(step, true);
  const Tensor& a = geometry.a;
  const OutTensor& y = geometry.y;
  if (is_empty(y)) return 0;
  const uint32_t m = geometry.row();
  const Window rows = {.input = y.dims[m], .kernel = 1, .stride = 1, .dilation = 1, .pad_begin = 0};
  DistanceNest nest((y.dims[m + 1] - 1) * y.strides[m + 1] + 1);
  nest.add(
      DistanceLoop::window_pieces(rows, y.dims[m], y.strides[m], a.strides[m], dsp_places_at_once));
  const uint32_t d = batch_dim(y);
  if (d < m) nest.add(DistanceLoop::even(y.dims[d], y.strides[d], a.strides[d]));
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

Status run_matmul(const Step& step, const Platform& platform) {
  const MatMulGeometry geometry(step, false);
  const Tensor& a = geometry.a;
  const OutTensor& y = geometry.y;
  if (is_empty(y)) return ok_status();
  const auto attributes = step.attributes<QuantizedMatMulAttributes>();
  const uint32_t m = geometry.row();
  IntegerProducts p = {};
  p.x = a.read<std::byte>();
  p.w = geometry.b.data;
  p.y = y.write<int8_t>();
  p.rows = rows_of(step);
  p.x_c = a.strides[m + 1];
  p.x_w = a.strides[m];
  p.y_c = y.strides[m + 1];
  p.y_w = y.strides[m];
  p.in_h = p.kernel_h = p.kernel_w = p.stride_h = p.stride_w = p.dilation_h = p.dilation_w = 1;
  p.in_w = p.out_w = y.dims[m];
  p.channels = geometry.inner();
  p.columns = y.dims[m + 1];
  set_numbers(step, attributes.a_zero_point, 0, p);
  p.results = integer_results(step, attributes.output, p.channels);
  const uint32_t d = batch_dim(y);
  const uint32_t batches = d < m ? y.dims[d] : 1;
  DspWork work = {p, a.strides[d], y.strides[d], 1, kDspPlaces, row_words(p.out_w, p.channels)};
  split(platform, batches * work.pieces(), geometry.work(), product_items, &work);
  return ok_status();
}

constexpr Form facts(decltype(Form::scratch) scratch, decltype(Form::safe_distance) safe_distance,
                     decltype(Form::accepts) accepts, decltype(Form::run) run) {
  return {.parallel = true,
          .packings = {layout_bit(Layout::kBlocked), kColumnPairs},
          .scratch = scratch,
          .safe_distance = safe_distance,
          .accepts = accepts,
          .run = run};
}

}  // namespace

constexpr Form kQuantizedConvForm8 =
    make_form(Op::kQuantizedConv, 8, facts(conv_scratch, conv_distance, takes_conv, run_conv));
constexpr Form kQuantizedMatMulForm8 = make_form(
    Op::kQuantizedMatMul, 8, facts(matmul_scratch, matmul_distance, takes_matmul, run_matmul));

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
