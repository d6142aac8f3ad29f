// Hands neighboring searches for the best of floats to a kernel.
#include "portable_fallback/shared/float_arg.h"

#include "ops/attributes.h"
#include "portable_fallback/shared/reduce.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

struct FloatArgs : Reduction {
  explicit FloatArgs(const Step& step) : Reduction(step, step.attributes<ArgAttributes>().axes) {}

  FloatArgKernel kernel = nullptr;
  FloatArgRun run = {};  // but x and how many searches
};

void find_places(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& args = *static_cast<const FloatArgs*>(argument);
  const ptrdiff_t y_step = args.kept.inner_stride(0);
  FloatArgRun run = args.run;
  RowCursor at(args.kept, kFloatArgs, first);
  for (uint32_t item = first; item < last; ++item, at.next()) {
    uint32_t places[kFloatArgs];
    run.x = as<float>(args.x) + at.offset(1);
    run.searches = at.count();
    args.kernel(run, places);
    Dst<int64_t> y = as<int64_t>(args.y) + at.offset(0);
    for (uint32_t s = 0; s < run.searches; ++s, y += y_step) *y = places[s];
  }
}

}  // namespace

bool takes_float_arg(const Step& step) {
  const FloatArgs args(step);
  return args.results != 0 && !args.empty && args.reduced.rank == 1;
}

uint64_t float_arg_distance(const Step& step, uint32_t) {
  return reduction_distance(step, step.attributes<ArgAttributes>().axes, kFloatArgs);
}

Status run_float_arg(const Step& step, const Platform& platform, FloatArgKernel kernel) {
  FloatArgs args(step);
  const auto attributes = step.attributes<ArgAttributes>();
  args.kernel = kernel;
  args.run.x_search = args.kept.inner_stride(1);
  args.run.x_step = args.reduced.inner_stride(1);
  args.run.count = args.reduced.inner_dim();
  args.run.least = step.op() == Op::kArgMin;
  args.run.last = attributes.select_last != 0;
  split(platform, RowCursor::rows(args.kept, kFloatArgs), uint64_t{args.results} * args.run.count,
        find_places, &args);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
