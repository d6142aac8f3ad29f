// Describes a sum of elements as a pool of one output, whose taps they are: in their logical order,
// so that bits are the reference's.
#include "portable_fallback/shared/float_sums.h"

#include "ops/attributes.h"
#include "portable_fallback/shared/reduce.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

constexpr uint32_t kAxes = 3;  // of a pool's taps

struct FloatSums : Reduction {
  explicit FloatSums(const Step& step)
      : Reduction(step, step.attributes<ReduceAttributes>().axes) {}

  void (*kernel)(const FloatPoolRun&) = nullptr;
  float divisor = 1;
};

void add_results(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& sums = *static_cast<const FloatSums*>(argument);
  const NestedLoop& taps = sums.reduced;
  FloatPoolRun run = {};
  run.outputs = 1;
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
    run.channels = at.count();
    sums.kernel(run);
  }
}

}  // namespace

bool takes_float_sums(const Step& step) {
  const FloatSums sums(step);
  return sums.results != 0 && !sums.empty && sums.reduced.rank <= kAxes &&
         sums.kept.inner_stride(0) == 1 && sums.kept.inner_stride(1) == 1;
}

uint64_t float_sums_distance(const Step& step, uint32_t) {
  return reduction_distance(step, step.attributes<ReduceAttributes>().axes, kFloatPoolChannels);
}

Status run_float_sums(const Step& step, const Platform& platform,
                      void (*kernel)(const FloatPoolRun&), bool mean) {
  FloatSums sums(step);
  const uint32_t count = sums.reduced.size();
  sums.kernel = kernel;
  if (mean) sums.divisor = static_cast<float>(count);
  split(platform, RowCursor::rows(sums.kept, kFloatPoolChannels), uint64_t{sums.results} * count,
        add_results, &sums);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
