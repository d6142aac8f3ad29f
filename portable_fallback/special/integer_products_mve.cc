// Convolution and matrix product of 8-bit integers with Arm's MVE, which Cortex-M55 has: weights
// lie in rows, one for each column.
#include "portable_fallback/fast/integer_products_mve_kernel.h"

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

constexpr Blocks kRows = {.n = 1, .k = 1, .bits = 8};

struct MveWork : ProductWork {
  bool folds;  // each line by itself
};

void product_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const MveWork*>(argument);
  for_pieces(work, first, last, thread,
             [&work](const IntegerProducts& p, uint32_t line, uint32_t place, uint32_t end) {
               add_products_mve(p, line, place, end, work.folds);
             });
}

// Whether biases are made: with what the zero point of x adds, or as one for each output.
bool makes_biases(const Step& step, int32_t zero_point) {
  return zero_point != 0 || !has_bias_of_each_output(step);
}

// Words for biases that many places share. A single one has them made piece by piece.
uint32_t shared_words(bool makes, uint32_t places, uint32_t columns) {
  return makes && places > 1 ? columns : 0;
}

// Runs the items of work whose products lack their memory and results.
void run(const Step& step, const Platform& platform, const Requantization& output, uint32_t depth,
         uint32_t places, MveWork& work) {
  IntegerProducts& p = work.products;
  p.results = integer_results(step, output, depth);
  p.results.rounds_twice = p.results.rounds_twice && only_divides(p.results, p.columns);
  const bool makes = makes_biases(step, -p.added);
  const uint32_t shared = shared_words(makes, places, p.columns);
  work.folds = makes && shared == 0;
  uint32_t* words = rows_of(step);
  p.rows = words + shared;
  work.row_words = mve_row_words(p.out_w, depth);
  if (shared != 0) {
    auto* biases = static_cast<int32_t*>(static_cast<void*>(words));
    fold_products_mve(p, 0, p.columns, biases);
    p.results.bias = biases;
    p.results.bias_step = 1;
  }
  split(platform, places / p.out_w * work.pieces(), places * p.columns * work_of_result(depth),
        product_items, &work);
}

bool takes_conv(const Step& step) {
  return step.input(0).dtype() == DType::kInt8 &&
         step.attributes<QuantizedConvAttributes>().w_zero_point == 0 &&
         takes_conv_products(step, kRows);
}

ScratchNeed conv_scratch(const Step& step) {
  const auto depth = static_cast<uint32_t>(depth_of(step.input(1)));
  const OutTensor y = step.output(0);
  const bool makes = makes_biases(step, step.attributes<QuantizedConvAttributes>().x_zero_point);
  return rows_scratch(mve_row_words(places_of_line(step), depth),
                      shared_words(makes, y.dims[0] * y.dims[2] * y.dims[3], y.dims[1]));
}

uint64_t conv_distance(const Step& step, uint32_t input) {
  return conv_products_distance(step, input, mve_places_at_once);
}

Status run_conv(const Step& step, const Platform& platform) {
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  const auto attributes = step.attributes<QuantizedConvAttributes>();
  const auto depth = static_cast<uint32_t>(depth_of(step.input(1)));
  const IntegerProducts p = line_products(step);
  MveWork work = {{p, step.input(0).strides[0], y.strides[0], p.one_pixel ? 1 : y.dims[2],
                   places_of_piece(p, depth)},
                  false};
  run(step, platform, attributes.output, depth, y.dims[0] * y.dims[2] * y.dims[3], work);
  return ok_status();
}

bool takes_matmul(const Step& step) {
  return step.input(0).dtype() == DType::kInt8 &&
         step.attributes<QuantizedMatMulAttributes>().b_zero_point == 0 &&
         takes_matmul_products(step, kRows);
}

ScratchNeed matmul_scratch(const Step& step) {
  const MatMulGeometry geometry(step, false);
  const OutTensor& y = geometry.y;
  const uint32_t rows = y.dims[geometry.row()];
  const bool makes = makes_biases(step, step.attributes<QuantizedMatMulAttributes>().a_zero_point);
  return rows_scratch(mve_row_words(rows, geometry.inner()),
                      shared_words(makes, batches_of(y) * rows, y.dims[geometry.column()]));
}

uint64_t matmul_distance(const Step& step, uint32_t input) {
  return matmul_products_distance(step, input, mve_places_at_once);
}

Status run_matmul(const Step& step, const Platform& platform) {
  const MatMulGeometry geometry(step, false);
  const OutTensor& y = geometry.y;
  if (is_empty(y)) return ok_status();
  const auto attributes = step.attributes<QuantizedMatMulAttributes>();
  const IntegerProducts p = matmul_products(step, geometry);
  const uint32_t d = batch_dim(y);
  MveWork work = {{p, geometry.a.strides[d], y.strides[d], 1, places_of_piece(p, p.channels)},
                  false};
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
ARENITE_FORM_CODE(QuantizedConv, 10)
constexpr Form kQuantizedMatMulForm9 = make_form(
    Op::kQuantizedMatMul, 9, facts(matmul_scratch, matmul_distance, takes_matmul, run_matmul));
ARENITE_FORM_CODE(QuantizedMatMul, 9)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
