// Cuts the rows to keep into blocks of as many as a kernel computes at once.
#include "portable_fallback/shared/integer_softmax.h"

#include "ops/attributes.h"
#include "portable_fallback/shared/axis_rows.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

struct SoftmaxWork {
  explicit SoftmaxWork(const Step& step)
      : rows(step, step.attributes<QuantizedSoftmaxAttributes>().axes) {}

  uint32_t at_once() const {
    const uint32_t rows_at_once = softmax_rows_at_once(rows.axes.inner_dim());
    return rows_at_once != 0 ? rows_at_once : 1;
  }

  AxisRows rows;
  IntegerSoftmax softmax = {};
  Src<uint8_t> x = {};
  Dst<uint8_t> y = {};
  void (*compute)(const IntegerSoftmax& softmax, const SoftmaxRows& rows) = nullptr;
};

void block_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& work = *static_cast<const SoftmaxWork*>(argument);
  const NestedLoop& kept = work.rows.kept;
  const NestedLoop& axes = work.rows.axes;
  SoftmaxRows rows = {};
  rows.x_row = kept.inner_stride(1);
  rows.y_row = kept.inner_stride(0);
  rows.x_step = axes.inner_stride(1);
  rows.y_step = axes.inner_stride(0);
  rows.count = axes.inner_dim();
  RowCursor block(kept, work.at_once(), first);
  for (uint32_t item = first; item < last; ++item, block.next()) {
    rows.x = work.x + block.offset(1);
    rows.y = work.y + block.offset(0);
    rows.rows = block.count();
    work.compute(work.softmax, rows);
  }
}

}  // namespace

// The form's types of x are those of 8 bits.
bool takes_integer_softmax(const Step& step) {
  QuantizedSoftmaxAttributes room;
  const QuantizedSoftmaxAttributes& by = step.attributes(room);
  const bool one_axis = by.axes != 0 && (by.axes & (by.axes - 1)) == 0;
  return one_axis && by.output.rounding == Rounding::kTfliteDouble &&
         element_bytes(step.dtype(step.input_count())) == 1;
}

// A row's elements are read from the first on and written up to the last, so many of both at once,
// and so are the rows of a block.
uint64_t integer_softmax_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  const SoftmaxWork work(step);
  if (work.rows.none || work.rows.empty) return 0;
  const NestedLoop& axes = work.rows.axes;
  const NestedLoop& kept = work.rows.kept;
  DistanceNest nest(1);
  nest.add(DistanceLoop::blocks(axes.inner_dim(), kSoftmaxAtOnce, axes.inner_stride(0),
                                axes.inner_stride(1)));
  nest.add(DistanceLoop::blocks(kept.inner_dim(), work.at_once(), kept.inner_stride(0),
                                kept.inner_stride(1)));
  for (uint32_t d = kept.rank - 1; d-- > 0;) {
    nest.add(DistanceLoop::even(kept.dims[d], kept.strides[0][d], kept.strides[1][d]));
  }
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

Status run_integer_softmax(const Step& step, const Platform& platform,
                           void (*compute)(const IntegerSoftmax& softmax,
                                           const SoftmaxRows& rows)) {
  SoftmaxWork work(step);
  if (work.rows.count() == 0 || work.rows.empty) return ok_status();
  const auto by = step.attributes<QuantizedSoftmaxAttributes>();
  const OutTensor y = step.output(0);
  work.softmax = {
      {by.multiplier, by.shift}, by.diff_min,   step.dtype(0) == DType::kInt8 ? 0x80 : 0,
      by.output.zero_point,      by.output.low, by.output.high};
  work.x = step.input(0).read<uint8_t>();
  work.y = y.write<uint8_t>();
  work.compute = compute;
  split(platform, RowCursor::rows(work.rows.kept, work.at_once()), element_count(y) * 64,
        block_items, &work);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
