// The mean over some axes: sums run in the order of the elements, up to sixteen side by side.
#include "core/attributes.h"
#include "core/kernel.h"
#include "portable_fallback/block.h"
#include "portable_fallback/check.h"
#include "portable_fallback/kernels.h"
#include "portable_fallback/lead.h"
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
  ReduceMean(const Step& step, const Tensor& from, const OutTensor& to);

  Src<float> x;
  Dst<float> y;
  NestedLoop kept;     // operands y, x
  NestedLoop reduced;  // operand 1 is x; in logical order
  bool empty;          // nothing to sum: the mean is 0 / 0
};

ReduceMean::ReduceMean(const Step& step, const Tensor& from, const OutTensor& to)
    : x(from.read<float>()), y(to.write<float>()), empty(is_empty(from)) {
  const uint32_t axes = step.attributes<ReduceMeanAttributes>().axes;
  for (uint32_t d = 0; d < to.rank; ++d) {
    if ((axes >> d & 1u) == 0) {
      kept.add(to.dims[d], signed_stride(to, d), signed_stride(from, d));
    } else if (!empty) {
      reduced.add(from.dims[d], 0, signed_stride(from, d));
    }
  }
  kept.sort();
  kept.merge();
  reduced.merge();
}

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
      Src<float> x = task.x + at.offset(1) + cursor.offset(1);
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
    Dst<float> y = task.y + at.offset(0);
    for (uint32_t j = 0; j < count; ++j, y += y_step) *y = sums[j] / size;
  }
}

Status run_reduce_mean(const Step& step, const Platform& platform) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  ReduceMean task(step, x, y);
  const uint64_t work = bounded_count(y) * task.reduced.size();
  split(platform, RowCursor::rows(task.kept, kBlock), work, reduce_mean_items, &task);
  return ok_status();
}

// Each block of means reads all of its input, then writes.
uint64_t reduce_mean_lead(const Step& step, uint32_t) {
  const OutTensor y = step.output(0);
  LeadWalk walk;
  if (is_empty(y)) return 0;
  const ReduceMean task(step, step.input(0), y);
  constexpr int64_t kBytes = sizeof(float);
  const uint32_t items = RowCursor::rows(task.kept, kBlock);
  RowCursor at(task.kept, kBlock, 0);
  for (uint32_t i = 0; i < items; ++i, at.next()) {
    if (!task.empty) walk.read(at.offset(1) * kBytes);
    walk.write((at.offset(0) + int64_t{at.count() - 1} * task.kept.inner_stride(0) + 1) * kBytes);
  }
  return walk.lead_bytes();
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
    .lead_bytes = reduce_mean_lead,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
