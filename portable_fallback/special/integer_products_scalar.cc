// Convolution and matrix product of 8-bit integers on CPUs that multiply no vectors: weights lie as
// the model has them, a row for each column.
#include "portable_fallback/fast/integer_products_scalar_kernel.h"

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/packings.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/matmul_geometry.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

// Planners pack weights that fit 4 bits two a byte where a form reads such: these are left to the
// references, as rows would take twice the flash.
constexpr Packings kRowsOrHalves = {
    static_cast<uint8_t>(layout_bit(Layout::kStrided) | layout_bit(Layout::kPacked4))};
bool in_halves(const Step& step) { return step.input(1).layout() == Layout::kPacked4; }

void product_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  for_pieces(*static_cast<const ProductWork*>(argument), first, last, thread, add_products_scalar);
}

// Words of the rows of places that are computed at once.
uint32_t row_words(uint32_t places, uint32_t depth) {
  return blocks_over(scalar_places_at_once(places) * depth, 2);
}

void set_results(const Step& step, const Requantization& output, uint32_t depth,
                 IntegerProducts& p) {
  const uint32_t products = products_of(depth, p.w_zero_point);
  p.results = integer_results(step, output, products);
  find_small_outputs(p.results, p.columns, products);
}

bool takes_conv(const Step& step) {
  return !in_halves(step) && takes_conv_products(step, {}) && are_rows(step.input(1));
}

ScratchNeed conv_scratch(const Step& step) {
  const auto depth = static_cast<uint32_t>(depth_of(step.input(1)));
  return rows_scratch(row_words(places_of_line(step), depth));
}

uint64_t conv_distance(const Step& step, uint32_t input) {
  return conv_products_distance(step, input, scalar_places_at_once);
}

Status run_conv(const Step& step, const Platform& platform) {
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  const auto attributes = step.attributes<QuantizedConvAttributes>();
  const auto depth = static_cast<uint32_t>(depth_of(step.input(1)));
  IntegerProducts p = line_products(step);
  set_results(step, attributes.output, depth, p);
  ProductWork work = {p,
                      step.input(0).strides[0],
                      y.strides[0],
                      p.one_pixel ? 1 : y.dims[2],
                      places_of_piece(p, depth),
                      row_words(p.out_w, depth)};
  split(platform, y.dims[0] * work.lines * work.pieces(), element_count(y) * work_of_result(depth),
        product_items, &work);
  return ok_status();
}

bool takes_matmul(const Step& step) {
  return !in_halves(step) && takes_matmul_products(step, {}) &&
         are_rows(MatMulGeometry(step, false));
}

ScratchNeed matmul_scratch(const Step& step) {
  const MatMulGeometry geometry(step, false);
  return rows_scratch(row_words(geometry.y.dims[geometry.row()], geometry.inner()));
}

uint64_t matmul_distance(const Step& step, uint32_t input) {
  return matmul_products_distance(step, input, scalar_places_at_once);
}

Status run_matmul(const Step& step, const Platform& platform) {
  const MatMulGeometry geometry(step, false);
  const OutTensor& y = geometry.y;
  if (is_empty(y)) return ok_status();
  const auto attributes = step.attributes<QuantizedMatMulAttributes>();
  IntegerProducts p = matmul_products(step, geometry);
  p.rows = rows_of(step);
  set_results(step, attributes.output, p.channels, p);
  const uint32_t d = batch_dim(y);
  ProductWork work = {p, geometry.a.strides[d],          y.strides[d],
                      1, places_of_piece(p, p.channels), row_words(p.out_w, p.channels)};
  split(platform, batches_of(y) * work.pieces(), element_count(y) * work_of_result(p.channels),
        product_items, &work);
  return ok_status();
}

}  // namespace

constexpr Form kQuantizedConvForm20 = make_form(Op::kQuantizedConv, 20,
                                                {.parallel = true,
                                                 .packings = kRowsOrHalves,
                                                 .scratch = conv_scratch,
                                                 .safe_distance = conv_distance,
                                                 .accepts = takes_conv,
                                                 .run = run_conv});
ARENITE_FORM_CODE(QuantizedConv, 20)
constexpr Form kQuantizedMatMulForm20 = make_form(Op::kQuantizedMatMul, 20,
                                                  {.parallel = true,
                                                   .packings = kRowsOrHalves,
                                                   .scratch = matmul_scratch,
                                                   .safe_distance = matmul_distance,
                                                   .accepts = takes_matmul,
                                                   .run = run_matmul});
ARENITE_FORM_CODE(QuantizedMatMul, 20)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
