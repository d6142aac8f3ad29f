// Steps that reduce along some axes: each combination of the other axes' indices is a row.
#pragma once

#include "kernels/dispatch/builder.h"
#include "kernels/shaders/shared/rows.h"

namespace arenite {

// 0: an invocation does a row; 1: a group does.
uint32_t choose_rows(const Step& step, uint32_t axes);
inline constexpr uint32_t kInTwoPasses = 2;  // a choice of operators that have two passes
// The rows that `axes` (a bit each) leaves of a step's x, and their words for
// all shaders that include glsl/include/rows.glsl.
struct Rows {
  Operand x, y;
  bool group;  // a group does a row, not an invocation
  bool words;  // elements of four neighboring rows are words of x
  shaders::RowsPush push;
  uint64_t count, elements;  // of a row
};
// `in_order`: the elements of a row are numbered row-major, not as they lie. A group does a row
// where the step's choice says so.
Rows rows_along(const Step& step, uint32_t axes, bool in_order = false);
// The same rows in two dispatches: along one of the axes, with results of `between`, float32 or
// int32, in the step's scratch, which are then the elements along the others.
struct RowsInTwo {
  Rows first, rest;
};
RowsInTwo rows_in_two_passes(const Step& step, uint32_t axes, DType between = DType::kFloat32);
uint64_t bytes_between_passes(const Step& step, uint32_t axes);
bool pays_in_two_passes(const Step& step, uint32_t axes);

Status run_rows(const Rows& rows, DispatchBuilder& builder, const DispatchSink& sink);
// Dispatches a shader that takes no more than this.
template <typename RowsShader>
Status emit_rows(const Step& step, const Rows& rows, const DispatchSink& sink) {
  DispatchBuilder builder(
      RowsShader{.spec = {.group = rows.group, .op = step.op()}, .push = rows.push});
  builder.buffer(rows.x).buffer(rows.y);
  return run_rows(rows, builder, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
