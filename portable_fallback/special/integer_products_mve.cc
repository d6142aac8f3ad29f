// Convolution and matrix product of 8-bit integers with Arm's MVE, which Cortex-M55 has: weights
// lie in rows, one for each column.
#include "portable_fallback/fast/integer_products_mve_kernel.h"

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
constexpr uint32_t kPlacesOfPiece = 16;

constexpr Blocks kRows = {.n = 1, .k = 1, .bits = 8};

// Parts (images or batches) of lines, cut into pieces of places that follow each other.
struct MveWork {
  IntegerProducts products;
  size_t x_part, y_part;  // elements between parts
  uint32_t lines, piece;
  uint32_t row_words;  // of a thread
  bool folds;          // each line by itself

  uint32_t pieces() const { return blocks_over(products.out_w, piece); }
};

void product_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const MveWork*>(argument);
  IntegerProducts p = work.products;
  p.rows += size_t{thread} * work.row_words;
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t line = item / work.pieces() % work.lines;
    const uint32_t part = item / work.pieces() / work.lines;
    const uint32_t place = item % work.pieces() * work.piece;
    const uint32_t left = p.out_w - place;
    p.x = work.products.x + part * work.x_part;
    p.y = work.products.y + part * work.y_part;
    add_products_mve(p, line, place, place + (left < work.piece ? left : work.piece), work.folds);
  }
}

// Words for biases that many places share. A single one has them made piece by piece.
uint32_t shared_words(uint32_t places, uint32_t columns) { return places > 1 ? columns : 0; }

// Runs the items of work whose products lack their memory and results.
void run(const Step& step, const Platform& platform, const Requantization& output, uint32_t depth,
         uint32_t places, MveWork& work) {
  IntegerProducts& p = work.products;
  p.results = integer_results(step, output, depth);
  p.results.rounds_twice = p.results.rounds_twice && only_divides(p.results, p.columns);
  const uint32_t shared = shared_words(places, p.columns);
  work.folds = shared == 0;
  uint32_t* words = rows_of(step);
  p.rows = words + shared;
  work.row_words = mve_row_words(p.out_w, depth);
  if (!work.folds) {
    auto* biases = static_cast<int32_t*>(static_cast<void*>(words));
    fold_products_mve(p, 0, p.columns, biases);
    p.results.bias = biases;
    p.results.bias_step = 1;
  }
  split(platform, places / p.out_w * work.pieces(), uint64_t{places} * p.columns * depth,
        product_items, &work);
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
  return step.input(0).dtype() == DType::kInt8 && attributes.groups == 1 &&
         !is_empty(step.input(0)) && !is_empty(w) && depth_of(w) < kDepthMax &&
         takes_blocks(step, kRows) && takes_integer_results(step, attributes.w_zero_point);
}

ScratchNeed conv_scratch(const Step& step) {
  const auto depth = static_cast<uint32_t>(depth_of(step.input(1)));
  const OutTensor y = step.output(0);
  return rows_scratch(mve_row_words(places_of_line(step), depth),
                      shared_words(y.dims[0] * y.dims[2] * y.dims[3], y.dims[1]));
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
      DistanceLoop::window_pieces(width, places, y.strides[3], x.strides[3], mve_places_at_once));
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
  p.one_pixel = one_line;
  MveWork work = {
      p, x.strides[0], y.strides[0], one_line ? 1 : y.dims[2], one_line ? kPlacesOfPiece : p.out_w,
      0, false};
  run(step, platform, attributes.output, depth, y.dims[0] * y.dims[2] * y.dims[3], work);
  return ok_status();
}

bool takes_matmul(const Step& step) {
  const auto attributes = step.attributes<QuantizedMatMulAttributes>();
  const OutTensor y = step.output(0);
  // Batches follow each other evenly.
  uint32_t batches = 0;
  for (uint32_t d = 0; d + 2 < y.rank(); ++d) batches += y.dims[d] != 1;
  return step.input(0).dtype() == DType::kInt8 && batches <= 1 && !is_empty(step.input(0)) &&
         !is_empty(step.input(1)) && step.input(0).dims[y.rank() - 1] < kDepthMax &&
         takes_blocks(step, kRows) && takes_integer_results(step, attributes.b_zero_point);
}

// The dim of batches, the last where there are none.
uint32_t batch_dim(const OutTensor& y) {
  uint32_t d = 0;
  while (d + 2 < y.rank() && y.dims[d] == 1) ++d;
  return d;
}

uint32_t batches_of(const OutTensor& y) {
  const uint32_t d = batch_dim(y);
  return d + 2 < y.rank() ? y.dims[d] : 1;
}

ScratchNeed matmul_scratch(const Step& step) {
  const MatMulGeometry geometry(step, false);
  const OutTensor& y = geometry.y;
  const uint32_t rows = y.dims[geometry.row()];
  return rows_scratch(mve_row_words(rows, geometry.inner()),
                      shared_words(batches_of(y) * rows, y.dims[geometry.column()]));
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
      DistanceLoop::window_pieces(rows, y.dims[m], y.strides[m], a.strides[m], mve_places_at_once));
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
  p.x_c = a.strides[m + 1];
  p.x_w = a.strides[m];
  p.y_c = y.strides[m + 1];
  p.y_w = y.strides[m];
  p.in_h = p.kernel_h = p.kernel_w = p.stride_h = p.stride_w = p.dilation_h = p.dilation_w = 1;
  p.in_w = p.out_w = y.dims[m];
  p.channels = geometry.inner();
  p.one_pixel = true;
  p.columns = y.dims[m + 1];
  set_numbers(step, attributes.a_zero_point, 0, p);
  const uint32_t d = batch_dim(y);
  MveWork work = {p, a.strides[d], y.strides[d], 1, kPlacesOfPiece, 0, false};
  run(step, platform, attributes.output, p.channels, batches_of(y) * p.out_w, work);
  return ok_status();
}

constexpr Form facts(decltype(Form::scratch) scratch, decltype(Form::safe_distance) safe_distance,
                     decltype(Form::accepts) accepts, decltype(Form::run) run) {
  return {.parallel = true,
          .packings = {layout_bit(Layout::kBlocked), kRows},
          .scratch = scratch,
          .safe_distance = safe_distance,
          .accepts = accepts,
          .run = run};
}

}  // namespace

constexpr Form kQuantizedConvForm10 =
    make_form(Op::kQuantizedConv, 10, facts(conv_scratch, conv_distance, takes_conv, run_conv));
constexpr Form kQuantizedMatMulForm9 = make_form(
    Op::kQuantizedMatMul, 9, facts(matmul_scratch, matmul_distance, takes_matmul, run_matmul));

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
