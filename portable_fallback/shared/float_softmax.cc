// Hands the rows of softmax to a kernel.
#include "portable_fallback/shared/float_softmax.h"

#include "ops/attributes.h"
#include "ops/check.h"
#include "portable_fallback/shared/axis_rows.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

struct Task {
  explicit Task(const Step& step)
      : rows(step, step.attributes<SoftmaxAttributes>().axes),
        x(step.input(0).read<float>()),
        y(step.output(0).write<float>()) {}

  AxisRows rows;
  Src<float> x;
  Dst<float> y;
  FloatSoftmaxKernel kernel = nullptr;
};

void softmax_rows(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Task*>(argument);
  RowCursor at(task.rows.kept, 1, first);
  for (uint32_t item = first; item < last; ++item, at.next()) {
    task.kernel({task.x + at.offset(1), task.y + at.offset(0), task.rows.axes.inner_dim()});
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
  Task task(step);
  task.kernel = kernel;
  split(platform, task.rows.count(), element_count(step.output(0)) * 16, softmax_rows, &task);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
