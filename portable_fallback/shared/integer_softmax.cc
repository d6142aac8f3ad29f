// Reads the factor and limits of a softmax in fixed point from its step.
#include "portable_fallback/shared/integer_softmax.h"

#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/softmax_blocks.h"

namespace arenite {
namespace {

uint32_t rows_of_block(uint32_t count) {
  const uint32_t rows = softmax_rows_at_once(count);
  return rows != 0 ? rows : 1;
}

}  // namespace

bool takes_integer_softmax(const Step& step) {
  return takes_softmax_rows(step, Rounding::kTfliteDouble);
}

// A row's elements are read from the first on and written up to the last, so many of both at once,
// and so are the rows of a block.
uint64_t integer_softmax_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  const AxisRows rows(step, step.attributes<QuantizedSoftmaxAttributes>().axes);
  if (rows.none || rows.empty) return 0;
  const NestedLoop& axes = rows.axes;
  const NestedLoop& kept = rows.kept;
  DistanceNest nest(1);
  nest.add(DistanceLoop::blocks(axes.inner_dim(), kSoftmaxAtOnce, axes.inner_stride(0),
                                axes.inner_stride(1)));
  nest.add(DistanceLoop::blocks(kept.inner_dim(), rows_of_block(axes.inner_dim()),
                                kept.inner_stride(0), kept.inner_stride(1)));
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
  SoftmaxBlocks<IntegerSoftmax> blocks(step);
  if (blocks.is_empty()) return ok_status();
  const auto by = step.attributes<QuantizedSoftmaxAttributes>();
  blocks.at_once = rows_of_block(blocks.rows.axes.inner_dim());
  blocks.numbers = {
      {by.multiplier, by.shift}, by.diff_min,   step.dtype(0) == DType::kInt8 ? 0x80 : 0,
      by.output.zero_point,      by.output.low, by.output.high};
  blocks.compute = compute;
  return run_softmax_blocks(step, platform, blocks);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
