// Serves the forms whose kernels compute products by weights in blocks of two columns, as
// integer_products_dsp_kernel.h and integer_halves_dsp_kernel.h have it.
#pragma once

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/quantized.h"
#include "portable_fallback/fast/integer_products_dsp_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/matmul_geometry.h"
#include "portable_fallback/shared/split.h"

namespace arenite {

inline constexpr Blocks kColumnPairs = {.n = 2, .k = 1, .bits = 8};

// What the bytes of weights mean to such forms.
struct WholeBytes {
  static constexpr Blocks kBlocks = kColumnPairs;
  // Words of the rows of a place.
  static uint32_t row_words(uint32_t depth) { return blocks_over(depth, 2); }
  // Lowers what the biases of small outputs may be, where kernels want that.
  static void limit_biases(IntegerResults&, uint32_t, int32_t) {}
};

// The forms of a kernel, which has
//   static constexpr auto& items: the function of pieces of a ProductWork,
//   static constexpr bool kRoundsOnce: results need not be rounded as kTfliteDouble.
template <typename Kernel, typename Weights = WholeBytes>
struct DspProducts {
  // Words of the rows of places that are computed at once.
  static uint32_t row_words(uint32_t places, uint32_t depth) {
    return dsp_places_at_once(places) * Weights::row_words(depth);
  }

  static void set_results(const Step& step, const Requantization& output, uint32_t depth,
                          IntegerProducts& p) {
    const uint32_t products = products_of(depth, p.w_zero_point);
    if constexpr (Kernel::kRoundsOnce) {
      p.results = integer_results(step, output, products);
      find_single_roundings(p.results, p.columns, products);
      if (output.rounding != Rounding::kFloat32) {
        return find_exact_outputs(p.results, p.columns, products);
      }
    } else {
      p.results = twice_rounded_results(step, output, products);
    }
    Weights::limit_biases(p.results, depth, p.w_zero_point);
    find_small_outputs(p.results, p.columns, products);
  }

  static ScratchNeed conv_scratch(const Step& step) {
    const auto depth = static_cast<uint32_t>(depth_of(step.input(1)));
    return rows_scratch(row_words(places_of_line(step), depth));
  }

  static uint64_t conv_distance(const Step& step, uint32_t input) {
    return conv_products_distance(step, input, dsp_places_at_once);
  }

  static Status run_conv(const Step& step, const Platform& platform) {
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
    split(platform, y.dims[0] * work.lines * work.pieces(),
          element_count(y) * work_of_result(depth), Kernel::items, &work);
    return ok_status();
  }

  static ScratchNeed matmul_scratch(const Step& step) {
    const MatMulGeometry geometry(step, false);
    return rows_scratch(row_words(geometry.y.dims[geometry.row()], geometry.inner()));
  }

  static uint64_t matmul_distance(const Step& step, uint32_t input) {
    return matmul_products_distance(step, input, dsp_places_at_once);
  }

  static Status run_matmul(const Step& step, const Platform& platform) {
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
          Kernel::items, &work);
    return ok_status();
  }

  static constexpr Form form(Op op, uint8_t number, decltype(Form::accepts) accepts) {
    const bool conv = op == Op::kQuantizedConv;
    return make_form(op, number,
                     {.parallel = true,
                      .packings = {layout_bit(Layout::kBlocked), Weights::kBlocks},
                      .scratch = conv ? conv_scratch : matmul_scratch,
                      .safe_distance = conv ? conv_distance : matmul_distance,
                      .accepts = accepts,
                      .run = conv ? run_conv : run_matmul});
  }
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
