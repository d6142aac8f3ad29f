// Hands the rows of softmax to a kernel.
#include "portable_fallback/shared/float_softmax.h"

#include "ops/attributes.h"
#include "ops/check.h"
#include "portable_fallback/shared/axis_rows.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

// Rows along one axis, and the kernel that takes them one by one or side by side.
template <typename Kernel>
struct Task {
  explicit Task(const Step& step)
      : rows(step, step.attributes<SoftmaxAttributes>().axes),
        x(step.input(0).read<float>()),
        y(step.output(0).write<float>()),
        logarithm(step.op() == Op::kLogSoftmax) {}

  AxisRows rows;
  Src<float> x;
  Dst<float> y;
  bool logarithm;
  Kernel kernel = nullptr;
};

void row_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Task<FloatSoftmaxKernel>*>(argument);
  RowCursor at(task.rows.kept, 1, first);
  for (uint32_t item = first; item < last; ++item, at.next()) {
    task.kernel(
        {task.x + at.offset(1), task.y + at.offset(0), task.rows.axes.inner_dim(), task.logarithm});
  }
}

void block_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Task<FloatSoftmaxRowsKernel>*>(argument);
  const NestedLoop& kept = task.rows.kept;
  const NestedLoop& axis = task.rows.axes;
  FloatSoftmaxRows rows = {};
  rows.x_row = kept.inner_stride(1);
  rows.y_row = kept.inner_stride(0);
  rows.x_step = axis.inner_stride(1);
  rows.y_step = axis.inner_stride(0);
  rows.count = axis.inner_dim();
  rows.logarithm = task.logarithm;
  RowCursor at(kept, kSoftmaxRows, first);
  for (uint32_t item = first; item < last; ++item, at.next()) {
    rows.x = task.x + at.offset(1);
    rows.y = task.y + at.offset(0);
    rows.rows = at.count();
    task.kernel(rows);
  }
}

}  // namespace

bool takes_float_softmax(const Step& step) {
  const AxisRows rows(step, step.attributes<SoftmaxAttributes>().axes);
  const NestedLoop& axes = rows.axes;
  return rows.count() != 0 && !rows.empty && axes.rank == 1 && axes.inner_dim() > 1 &&
         axes.inner_stride(0) == 1 && axes.inner_stride(1) == 1;
}

// Each row reads all of its input, then reads pieces of it again as it writes.
uint64_t float_softmax_distance(const Step& step, uint32_t) {
  return axis_rows_distance(step, step.attributes<SoftmaxAttributes>().axes, kSoftmaxPiece);
}

Status run_float_softmax(const Step& step, const Platform& platform, FloatSoftmaxKernel kernel) {
  Task<FloatSoftmaxKernel> task(step);
  task.kernel = kernel;
  split(platform, task.rows.count(), element_count(step.output(0)) * 16, row_items, &task);
  return ok_status();
}

bool takes_float_softmax_rows(const Step& step) {
  constexpr uint32_t kRowsLeast = 4;
  const AxisRows rows(step, step.attributes<SoftmaxAttributes>().axes);
  if (rows.count() == 0 || rows.empty || rows.axes.rank != 1) return false;
  const NestedLoop& axis = rows.axes;
  const bool are_neighbors = axis.inner_stride(0) == 1 && axis.inner_stride(1) == 1;
  return rows.kept.inner_dim() >= kRowsLeast && rows.kept.inner_stride(1) >= 0 &&
         (axis.inner_dim() < kSoftmaxPiece || !are_neighbors);
}

// A block reads element k of all its rows, writes it, and goes on with element k + 1.
uint64_t float_softmax_rows_distance(const Step& step, uint32_t) {
  const AxisRows rows(step, step.attributes<SoftmaxAttributes>().axes);
  const auto bytes = [](const NestedLoop& loop, uint32_t operand, uint32_t d) {
    return int64_t{loop.strides[operand][d]} * int64_t{sizeof(float)};
  };
  const NestedLoop& kept = rows.kept;
  DistanceNest nest(sizeof(float));
  nest.add(rows.axes, 1, sizeof(float));
  const uint32_t inner = kept.rank - 1;
  nest.add(DistanceLoop::blocks(kept.dims[inner], kSoftmaxRows, bytes(kept, 0, inner),
                                bytes(kept, 1, inner)));
  for (uint32_t d = inner; d-- > 0;) {
    nest.add(DistanceLoop::even(kept.dims[d], bytes(kept, 0, d), bytes(kept, 1, d)));
  }
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

Status run_float_softmax_rows(const Step& step, const Platform& platform,
                              FloatSoftmaxRowsKernel kernel) {
  Task<FloatSoftmaxRowsKernel> task(step);
  task.kernel = kernel;
  split(platform, RowCursor::rows(task.rows.kept, kSoftmaxRows), element_count(step.output(0)) * 16,
        block_items, &task);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
