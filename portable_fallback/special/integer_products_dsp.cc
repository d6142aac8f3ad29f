// Convolution and matrix product of 8-bit integers with Arm's DSP extension, which Cortex-M4 has:
// weights lie in blocks of two columns, so that a word of them is two pairs of numbers.
#include "portable_fallback/fast/integer_products_dsp_kernel.h"

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/packings.h"
#include "ops/quantized.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/matmul_geometry.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

constexpr Blocks kColumnPairs = {.n = 2, .k = 1, .bits = 8};

void product_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  for_pieces(*static_cast<const ProductWork*>(argument), first, last, thread, add_products_dsp);
}

// Words of the rows of places that are computed at once.
uint32_t row_words(uint32_t places, uint32_t depth) {
  return dsp_places_at_once(places) * blocks_over(depth, 2);
}

void set_results(const Step& step, const Requantization& output, uint32_t depth,
                 IntegerProducts& p) {
  const uint32_t products = products_of(depth, p.w_zero_point);
  p.results = integer_results(step, output, products);
  find_small_outputs(p.results, p.columns, products);
}

bool takes_conv(const Step& step) { return takes_conv_products(step, kColumnPairs); }

ScratchNeed conv_scratch(const Step& step) {
  const auto depth = static_cast<uint32_t>(depth_of(step.input(1)));
  return rows_scratch(row_words(places_of_line(step), depth));
}

uint64_t conv_distance(const Step& step, uint32_t input) {
  return conv_products_distance(step, input, dsp_places_at_once);
}

Status run_conv(const Step& step, const Platform& platform) {
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  const auto attributes = step.attributes<QuantizedConvAttributes>();
  const auto depth = static_cast<uint32_t>(depth_of(step.input(1)));
  // Made where it stays: a copy would be a tenth of the stack below run.
  ProductWork work = {line_products(step), step.input(0).strides[0], y.strides[0], 1, 1};
  IntegerProducts& p = work.products;
  set_results(step, attributes.output, depth, p);
  if (!p.one_pixel) work.lines = y.dims[2];
  work.piece = places_of_piece(p, depth);
  work.row_words = row_words(p.out_w, depth);
  split(platform, y.dims[0] * work.lines * work.pieces(), element_count(y) * work_of_result(depth),
        product_items, &work);
  return ok_status();
}

bool takes_matmul(const Step& step) { return takes_matmul_products(step, kColumnPairs); }

ScratchNeed matmul_scratch(const Step& step) {
  const MatMulGeometry geometry(step, false);
  return rows_scratch(row_words(geometry.y.dims[geometry.row()], geometry.inner()));
}

uint64_t matmul_distance(const Step& step, uint32_t input) {
  return matmul_products_distance(step, input, dsp_places_at_once);
}

Status run_matmul(const Step& step, const Platform& platform) {
  const MatMulGeometry geometry(step, false);
  const OutTensor& y = geometry.y;
  if (is_empty(y)) return ok_status();
  const auto attributes = step.attributes<QuantizedMatMulAttributes>();
  const uint32_t d = batch_dim(y);
  ProductWork work = {matmul_products(step, geometry), geometry.a.strides[d], y.strides[d], 1, 1};
  IntegerProducts& p = work.products;
  p.rows = rows_of(step);
  set_results(step, attributes.output, p.channels, p);
  work.piece = places_of_piece(p, p.channels);
  work.row_words = row_words(p.out_w, p.channels);
  split(platform, batches_of(y) * work.pieces(), element_count(y) * work_of_result(p.channels),
        product_items, &work);
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
ARENITE_FORM_CODE(QuantizedConv, 8)
constexpr Form kQuantizedMatMulForm8 = make_form(
    Op::kQuantizedMatMul, 8, facts(matmul_scratch, matmul_distance, takes_matmul, run_matmul));
ARENITE_FORM_CODE(QuantizedMatMul, 8)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
