// Serves the forms of float products for microcontrollers: the facts that those of one operator
// share, and their steps as kernels see them.
#pragma once

#include "core/form.h"
#include "ops/packings.h"
#include "portable_fallback/fast/float_rows.h"

namespace arenite {

// Weights are rows, [columns][k]. Those of matrix products are constants in such blocks: without
// them the planner lays them out as [k][columns].
inline constexpr Blocks kFloatRowBlocks = {.n = 1, .k = 1, .bits = 32};

// Convolutions of one group.
bool takes_float_rows_conv(const Step& step);
ScratchNeed float_rows_conv_scratch(const Step& step);
uint64_t float_rows_conv_distance(const Step& step, uint32_t input);
Status run_float_rows_conv(const Step& step, const Platform& platform, PieceFunction items);

// Matrix products of one right side.
bool takes_float_rows_matmul(const Step& step);
ScratchNeed float_rows_matmul_scratch(const Step& step);
uint64_t float_rows_matmul_distance(const Step& step, uint32_t input);
Status run_float_rows_matmul(const Step& step, const Platform& platform, PieceFunction items);

// Convolutions in which each channel has a window of its own.
bool takes_float_windows_conv(const Step& step);
uint64_t float_windows_conv_distance(const Step& step, uint32_t input);
Status run_float_windows_conv(const Step& step, const Platform& platform, PieceFunction items);

// Parts (images or batches) of lines, cut into pieces of places that follow each other.
struct FloatRowsWork {
  FloatRows products;
  size_t x_part, y_part;  // elements between parts
  uint32_t lines;
  uint32_t row_floats;  // of a thread
  uint32_t piece = 4;   // places; a multiple of those at once

  uint32_t pieces() const { return blocks_over(products.out_w, piece); }
};

template <AddFloatRows kAdd>
void float_row_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const FloatRowsWork*>(argument);
  const uint32_t pieces = work.pieces();
  FloatRows p = work.products;
  if (p.rows != nullptr) p.rows += size_t{thread} * work.row_floats;
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t line = item / pieces;
    const uint32_t place = item % pieces * work.piece;
    const uint32_t part = line / work.lines;
    p.x = work.products.x + part * work.x_part;
    p.y = work.products.y + part * work.y_part;
    const uint32_t left = p.out_w - place;
    kAdd(p, line % work.lines, place, left < work.piece ? p.out_w : place + work.piece);
  }
}

constexpr Form float_rows_conv_facts(decltype(Form::run) run) {
  return {.parallel = true,
          .scratch = float_rows_conv_scratch,
          .safe_distance = float_rows_conv_distance,
          .accepts = takes_float_rows_conv,
          .run = run};
}
constexpr Form float_rows_matmul_facts(decltype(Form::run) run) {
  return {.parallel = true,
          .packings = strided_or(kFloatRowBlocks),
          .scratch = float_rows_matmul_scratch,
          .safe_distance = float_rows_matmul_distance,
          .accepts = takes_float_rows_matmul,
          .run = run};
}
constexpr Form float_windows_conv_facts(decltype(Form::run) run) {
  return {.parallel = true,
          .safe_distance = float_windows_conv_distance,
          .accepts = takes_float_windows_conv,
          .run = run};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
