// The mean over some axes: sums run in the order of the elements, up to sixteen side by side.
#include "core/attributes.h"
#include "core/kernel.h"
#include "portable_fallback/block.h"
#include "portable_fallback/check.h"
#include "portable_fallback/kernels.h"
#include "portable_fallback/loop.h"
#include "portable_fallback/split.h"

namespace arenite {
namespace {

Status check_reduce_mean(const Step& step) {
  ARENITE_TRY(check_attributes<ReduceMeanAttributes>(step));
  ARENITE_TRY(check_operands(step, {.min_inputs = 1, .max_inputs = 1, .max_outputs = 1}));
  ARENITE_TRY(check_all_types(step, DType::kFloat32));
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  const uint32_t axes = step.attributes<ReduceMeanAttributes>().axes;
  if (x.rank != y.rank) return output_error(step, Code::kBadShape);
  if (axes >> x.rank != 0) return error(Code::kBadAttribute);
  for (uint32_t d = 0; d < x.rank; ++d) {
    if (y.dims[d] != ((axes >> d & 1u) != 0 ? 1 : x.dims[d])) {
      return output_error(step, Code::kBadShape);
    }
  }
  return check_dense_enough(step, 0);
}

struct ReduceMean {
  const float* x;
  float* y;
  NestedLoop kept;     // operands y, x
  NestedLoop reduced;  // operand 1 is x; in logical order
  bool empty;          // nothing to sum: the mean is 0 / 0
};

void reduce_mean_items(void* argument, uint32_t first, uint32_t last) {
  const auto& task = *static_cast<const ReduceMean*>(argument);
  const NestedLoop& reduced = task.reduced;
  const uint32_t rows = task.empty ? 0 : RowCursor::rows(reduced, reduced.inner_dim());
  const float size = task.empty ? 0.0f : static_cast<float>(reduced.size());
  const ptrdiff_t x_step = task.kept.inner_stride(1);
  const ptrdiff_t y_step = task.kept.inner_stride(0);
  const ptrdiff_t along = reduced.inner_stride(1);
  RowCursor at(task.kept, kBlock, first);
  for (uint32_t item = first; item < last; ++item, at.next()) {
    const uint32_t count = at.count();
    const bool full = count == kBlock && x_step == 1;
    float sums[kBlock] = {};
    RowCursor cursor(reduced, reduced.inner_dim(), 0);
    for (uint32_t i = 0; i < rows; ++i, cursor.next()) {
      const float* x = task.x + at.offset(1) + cursor.offset(1);
      for (uint32_t left = cursor.count(); left != 0; --left, x += along) {
        if (full) {
#pragma GCC unroll 16
          for (uint32_t j = 0; j < kBlock; ++j) sums[j] += x[j];
        } else {
          for (uint32_t j = 0; j < count; ++j) {
            sums[j] += x[static_cast<ptrdiff_t>(j) * x_step];
          }
        }
      }
    }
    float* y = task.y + at.offset(0);
    for (uint32_t j = 0; j < count; ++j, y += y_step) *y = sums[j] / size;
  }
}

Status run_reduce_mean(const Step& step, const Platform& platform) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  const uint32_t axes = step.attributes<ReduceMeanAttributes>().axes;
  ReduceMean task;
  task.x = x.read<float>();
  task.y = y.write<float>();
  task.empty = is_empty(x);
  for (uint32_t d = 0; d < y.rank; ++d) {
    if ((axes >> d & 1u) == 0) {
      task.kept.add(y.dims[d], signed_stride(y, d), signed_stride(x, d));
    } else if (!task.empty) {
      task.reduced.add(x.dims[d], 0, signed_stride(x, d));
    }
  }
  task.kept.sort();
  task.kept.merge();
  task.reduced.merge();
  const uint64_t work = bounded_count(y) * task.reduced.size();
  split(platform, RowCursor::rows(task.kept, kBlock), work, reduce_mean_items, &task);
  return ok_status();
}

}  // namespace

constexpr Kernel kReduceMeanKernel = {
    .op = Op::kReduceMean,
    .check = check_reduce_mean,
    .run = run_reduce_mean,
    .scratch_bytes = nullptr,
    .weight_layouts = 1u << static_cast<uint32_t>(Layout::kStrided),
    .alignment = alignof(float),
    .tail_bytes = 0,
    .parallel = true,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
