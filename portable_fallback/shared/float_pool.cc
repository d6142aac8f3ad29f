// Finds the taps of a line's windows, by what an average is divided, and how far reads are ahead of
// writes.
#include "portable_fallback/shared/float_pool.h"

#include "portable_fallback/shared/pool.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

// Its items are lines of outputs, with all of their channels.
struct FloatPool : Pool {
  FloatPool(const Step& step, FloatPoolKernel of) : Pool(step, step.serial()), kernel(of) {
    lines = items == 0 ? 0 : y.dims[0] * y.dims[2] * y.dims[3];
    const Window& window = windows[2];
    const uint32_t last_tap = (window.kernel - 1) * window.dilation;
    const uint32_t reach = window.input + window.pad_begin;
    whole_begin = (window.pad_begin + window.stride - 1) / window.stride;
    whole_end = reach > last_tap ? (reach - last_tap - 1) / window.stride + 1 : 0;
    whole_end = whole_end < y.dims[4] ? whole_end : y.dims[4];
  }

  FloatPoolKernel kernel;
  uint32_t lines;
  uint32_t whole_begin, whole_end;  // the outputs of a line all of whose taps along it are inside
};

// Taps that an average counts along an axis: those inside x and, if asked, inside the padding.
uint32_t counted(const FloatPool& pool, uint32_t axis, uint32_t output) {
  const Window& window = pool.windows[axis];
  Taps taps = window.taps(output);
  if (pool.attributes.count_include_pad != 0) {
    taps = window.taps_within(
        window.start(output), -static_cast<int32_t>(window.pad_begin),
        static_cast<int32_t>(pool.x.dims[2 + axis] + pool.attributes.pad_end[axis]));
  }
  return taps.end - taps.begin;
}

void pool_lines(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& pool = *static_cast<const FloatPool*>(argument);
  const Tensor& x = pool.x;
  const OutTensor& y = pool.y;
  FloatPoolRun run;
  run.channels = y.dims[1];
  run.x_step = size_t{pool.windows[2].stride} * x.strides[4];
  run.y_step = y.strides[4];
  // Returns elements to the first tap inside x.
  const auto put_taps = [&](uint32_t axis, uint32_t output) -> size_t {
    const Window& window = pool.windows[axis];
    const Taps taps = window.taps(output);
    run.counts[axis] = taps.end - taps.begin;
    run.steps[axis] = size_t{window.dilation} * x.strides[2 + axis];
    if (taps.end == taps.begin) return 0;
    return static_cast<size_t>(window.position(output, taps.begin)) * x.strides[2 + axis];
  };
  for (uint32_t line = first; line < last; ++line) {
    const uint32_t oh = line % y.dims[3];
    const uint32_t slice = line / y.dims[3];
    const uint32_t od = slice % y.dims[2];
    const uint32_t n = slice / y.dims[2];
    const size_t at = size_t{n} * x.strides[0] + put_taps(0, od) + put_taps(1, oh);
    const float outer =
        static_cast<float>(counted(pool, 0, od)) * static_cast<float>(counted(pool, 1, oh));
    run.y = y.write<float>() +
            (size_t{n} * y.strides[0] + size_t{od} * y.strides[2] + size_t{oh} * y.strides[3]);
    for (uint32_t ow = 0; ow < y.dims[4]; ow += run.outputs, run.y += run.outputs * run.y_step) {
      run.outputs = ow >= pool.whole_begin && ow < pool.whole_end ? pool.whole_end - ow : 1;
      run.x = x.read<float>() + (at + put_taps(2, ow));
      run.divisor = outer * static_cast<float>(counted(pool, 2, ow));
      pool.kernel(run);
    }
  }
}

}  // namespace

bool takes_float_pool(const Step& step) {
  return step.input(0).strides[1] == 1 && step.output(0).strides[1] == 1 &&
         step.output_count() == 1;
}

uint64_t float_pool_distance(const Step& step, uint32_t) {
  const FloatPool pool(step, nullptr);
  if (pool.lines == 0) return 0;
  constexpr int64_t kBytes = sizeof(float);
  DistanceNest nest(kBytes);
  nest.add(DistanceLoop::blocks(pool.y.dims[1], kFloatPoolChannels, kBytes, kBytes));
  for (uint32_t axis = 3; axis-- > 0;) {
    nest.add(DistanceLoop::window(pool.windows[axis], pool.y.dims[2 + axis],
                                  pool.y.strides[2 + axis] * kBytes,
                                  pool.x.strides[2 + axis] * kBytes));
  }
  nest.add(
      DistanceLoop::even(pool.y.dims[0], pool.y.strides[0] * kBytes, pool.x.strides[0] * kBytes));
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

Status run_float_pool(const Step& step, const Platform& platform, FloatPoolKernel kernel) {
  FloatPool pool(step, kernel);
  split(platform, pool.lines, pool.work, pool_lines, &pool);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
