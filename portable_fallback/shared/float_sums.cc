// Describes a sum of elements as a pool of one output, whose taps they are: where results are side
// by side in their logical order, so that bits are the reference's.
#include "portable_fallback/shared/float_sums.h"

#include "ops/attributes.h"
#include "portable_fallback/shared/reduce.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

constexpr uint32_t kAxes = 3;    // of a pool's taps
constexpr uint32_t kRowMin = 8;  // neighbors of a row that are worth vectors

struct FloatSums : Reduction {
  explicit FloatSums(const Step& step)
      : Reduction(step, step.attributes<ReduceAttributes>().axes) {}

  bool side_by_side() const { return kept.inner_stride(0) == 1 && kept.inner_stride(1) == 1; }
  bool has_rows() const { return reduced.inner_stride(1) == 1 && reduced.inner_dim() >= kRowMin; }

  FloatPoolKernel kernel = nullptr;
  float divisor = 1;
};

void add_results(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& sums = *static_cast<const FloatSums*>(argument);
  const NestedLoop& taps = sums.reduced;
  FloatPoolRun run = {};
  run.outputs = run.channels = 1;
  run.x_step = static_cast<size_t>(sums.kept.inner_stride(1));
  run.y_step = static_cast<size_t>(sums.kept.inner_stride(0));
  run.divisor = sums.divisor;
  for (uint32_t axis = 0; axis < kAxes; ++axis) {
    const uint32_t missing = kAxes - taps.rank;
    run.counts[axis] = axis < missing ? 1 : taps.dims[axis - missing];
    run.steps[axis] = axis < missing ? 0 : static_cast<size_t>(taps.strides[1][axis - missing]);
  }
  RowCursor at(sums.kept, kFloatPoolChannels, first);
  for (uint32_t item = first; item < last; ++item, at.next()) {
    run.x = as<float>(sums.x) + at.offset(1);
    run.y = as<float>(sums.y) + at.offset(0);
    (sums.side_by_side() ? run.channels : run.outputs) = at.count();
    sums.kernel(run);
  }
}

}  // namespace

bool takes_float_sums(const Step& step) {
  const FloatSums sums(step);
  return sums.results != 0 && !sums.empty && sums.reduced.rank <= kAxes &&
         (sums.side_by_side() || sums.has_rows());
}

uint64_t float_sums_distance(const Step& step, uint32_t) {
  const FloatSums sums(step);
  if (sums.results == 0) return 0;
  return reduction_distance(step, step.attributes<ReduceAttributes>().axes,
                            sums.side_by_side() ? kFloatPoolChannels : 1);
}

Status run_float_sums(const Step& step, const Platform& platform, const FloatSumsKernels& kernels,
                      bool mean) {
  FloatSums sums(step);
  const uint32_t count = sums.reduced.size();
  sums.kernel = sums.side_by_side() ? kernels.side_by_side : kernels.rows;
  if (mean) sums.divisor = static_cast<float>(count);
  split(platform, RowCursor::rows(sums.kept, kFloatPoolChannels), uint64_t{sums.results} * count,
        add_results, &sums);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
