// Serves the forms whose kernels compute products by weights in rows, two places at a time, as
// integer_products_mve_kernel.h has it.
#pragma once

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/quantized.h"
#include "portable_fallback/fast/integer_products_mve_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/integer_results.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/matmul_geometry.h"
#include "portable_fallback/shared/split.h"

namespace arenite {

inline constexpr Blocks kMveRows = {.n = 1, .k = 1, .bits = 8};

struct MveWork : ProductWork {
  bool folds;  // each line by itself
};

// Says how the weights of such forms lie.
struct MveBytes {
  static constexpr Blocks kBlocks = kMveRows;
  // Words of the rows of so many places.
  static constexpr auto& row_words = mve_row_words;
  static constexpr auto& fold = fold_products_mve;
  // Whether kernels make the results of all shifts.
  static constexpr auto& takes_shifts = only_divides;
};

// Words for biases that many places share. A single one has them made piece by piece.
constexpr uint32_t shared_words(bool makes, uint32_t places, uint32_t columns) {
  return makes && places > 1 ? columns : 0;
}

// The forms of a kernel, which has
//   static void items(void* work, uint32_t first, uint32_t last, uint32_t thread): a MveWork's,
//   static constexpr bool kRoundsOnce: results need not be rounded as kTfliteDouble,
//   static bool makes_biases(const Step& step, int32_t zero_point): whether they may be made.
template <typename Kernel, typename Weights = MveBytes>
struct MveProducts {
  // Runs the items of work whose products lack their memory and results.
  static void run(const Step& step, const Platform& platform, const Requantization& output,
                  uint32_t depth, uint32_t places, MveWork& work) {
    IntegerProducts& p = work.products;
    if constexpr (Kernel::kRoundsOnce) {
      p.results = integer_results(step, output, depth);
      find_single_roundings(p.results, p.columns, products_of(depth, p.w_zero_point));
    } else {
      p.results = twice_rounded_results(step, output, depth);
    }
    p.results.rounds_twice = p.results.rounds_twice && Weights::takes_shifts(p.results, p.columns);
    const bool makes = p.added != 0 || !has_bias_of_each_output(step);
    const uint32_t shared = shared_words(makes, places, p.columns);
    work.folds = makes && shared == 0;
    uint32_t* words = rows_of(step);
    p.rows = words + shared;
    work.row_words = Weights::row_words(p.out_w, depth);
    if (shared != 0) {
      auto* biases = static_cast<int32_t*>(static_cast<void*>(words));
      Weights::fold(p, 0, p.columns, biases);
      p.results.bias = biases;
      p.results.bias_step = 1;
    }
    split(platform, places / p.out_w * work.pieces(), places * p.columns * work_of_result(depth),
          Kernel::items, &work);
  }

  static ScratchNeed conv_scratch(const Step& step) {
    const auto depth = static_cast<uint32_t>(depth_of(step.input(1)));
    const OutTensor y = step.output(0);
    const auto attributes = step.attributes<QuantizedConvAttributes>();
    const bool makes = Kernel::makes_biases(step, attributes.x_zero_point);
    return rows_scratch(Weights::row_words(places_of_line(step), depth),
                        shared_words(makes, y.dims[0] * y.dims[2] * y.dims[3], y.dims[1]));
  }

  static uint64_t conv_distance(const Step& step, uint32_t input) {
    return conv_products_distance(step, input, mve_places_at_once);
  }

  static Status run_conv(const Step& step, const Platform& platform) {
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

  static ScratchNeed matmul_scratch(const Step& step) {
    const MatMulGeometry geometry(step, false);
    const OutTensor& y = geometry.y;
    const uint32_t rows = y.dims[geometry.row()];
    const auto attributes = step.attributes<QuantizedMatMulAttributes>();
    const bool makes = Kernel::makes_biases(step, attributes.a_zero_point);
    return rows_scratch(Weights::row_words(rows, geometry.inner()),
                        shared_words(makes, batches_of(y) * rows, y.dims[geometry.column()]));
  }

  static uint64_t matmul_distance(const Step& step, uint32_t input) {
    return matmul_products_distance(step, input, mve_places_at_once);
  }

  static Status run_matmul(const Step& step, const Platform& platform) {
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
