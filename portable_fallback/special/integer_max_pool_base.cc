// Max pool of 8-bit integers with vectors of any kind, which every 64-bit x86 and Arm has: of
// neighboring channels, or of planes, a row of one channel at a time.
#include "portable_fallback/fast/integer_max_pool_base_kernel.h"
#include "portable_fallback/shared/integer_max_pool.h"

namespace arenite {
namespace {

bool takes_planes(const Step& step) {
  const Tensor x = step.input(0);
  if (element_bytes(x.dtype()) != 1 || x.strides[4] != 1 || step.output(0).strides[4] != 1 ||
      step.output_count() != 1) {
    return false;
  }
  const Window window = pool_window(step.attributes<PoolAttributes>(), x, 2);
  const uint64_t last_tap = (uint64_t{window.kernel} - 1) * window.dilation;
  return (kPlaneOutputs - 1) * uint64_t{window.stride} + 1 + last_tap <= kPlaneColumns;
}

uint32_t outputs_at_once(uint32_t left) { return left < kPlaneOutputs ? left : kPlaneOutputs; }

// The safe distance of x: the outputs of a piece of a row are read together, then written. All
// columns between their taps are read too.
uint64_t planes_distance(const Step& step, uint32_t) {
  const Pool pool(step, false);
  if (pool.items == 0) return 0;
  const auto& x = pool.x.strides;
  const auto& y = pool.y.strides;
  const uint32_t* dims = pool.y.dims;
  Window columns = pool.windows[2];
  columns.kernel = (columns.kernel - 1) * columns.dilation + 1;
  columns.dilation = 1;
  DistanceNest nest(1);
  nest.add(DistanceLoop::window_pieces(columns, dims[4], 1, 1, outputs_at_once));
  nest.add(DistanceLoop::window(pool.windows[1], dims[3], y[3], x[3]));
  nest.add(DistanceLoop::window(pool.windows[0], dims[2], y[2], x[2]));
  nest.add(DistanceLoop::even(dims[1], y[1], x[1]));
  nest.add(DistanceLoop::even(dims[0], y[0], x[0]));
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

#if defined(__SSE2__) || defined(__aarch64__)
constexpr auto kRunChannels = run_integer_max_pool<max_pool_base>;

// The columns inside x that the windows of the run's outputs span, the first of which is `first`.
// Returns elements to the first of them.
size_t put_columns(const Window& window, uint32_t first, PlaneMaxRun& run) {
  const int32_t start = window.start(first);
  const auto span = static_cast<int32_t>(run.places() + run.last_tap());
  const auto input = static_cast<int32_t>(window.input);
  const int32_t end = start + span < input ? start + span : input;
  run.columns = run.before = 0;
  if (end <= 0) return 0;
  // A window that ends in front of x reads nothing.
  const auto last_tap = static_cast<int32_t>(run.last_tap());
  const auto stride = static_cast<int32_t>(run.stride);
  const int32_t in_front = start + last_tap < 0 ? -(start + last_tap) : 0;
  const int32_t reader = start + (in_front + stride - 1) / stride * stride;
  const int32_t begin = reader < 0 ? 0 : reader;
  if (begin >= end) return 0;
  run.columns = static_cast<uint32_t>(end - begin);
  run.before = static_cast<uint32_t>(begin - start);
  return static_cast<size_t>(begin);
}

// An item is a row of outputs of one channel.
void plane_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& pool = *static_cast<const Pool*>(argument);
  const uint32_t* x_strides = pool.x.strides;
  const uint32_t* y_strides = pool.y.strides;
  const uint32_t* dims = pool.y.dims;
  PlaneMaxRun run;
  run.is_unsigned = pool.x.dtype() == DType::kUint8;
  run.kernel = pool.windows[2].kernel;
  run.dilation = pool.windows[2].dilation;
  run.stride = pool.windows[2].stride;
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t plane = item / (dims[2] * dims[3]);
    const uint32_t n = plane / dims[1], c = plane % dims[1];
    const uint32_t outer[2] = {item / dims[3] % dims[2], item % dims[3]};
    size_t x = size_t{n} * x_strides[0] + size_t{c} * x_strides[1];
    size_t y = size_t{n} * y_strides[0] + size_t{c} * y_strides[1];
    for (uint32_t axis = 0; axis < 2; ++axis) {
      const Window& window = pool.windows[axis];
      const Taps taps = window.taps(outer[axis]);
      const uint32_t stride = x_strides[2 + axis];
      run.counts[axis] = taps.end - taps.begin;
      run.steps[axis] = size_t{window.dilation} * stride;
      y += size_t{outer[axis]} * y_strides[2 + axis];
      if (taps.begin == taps.end) continue;
      x += static_cast<size_t>(window.position(outer[axis], taps.begin)) * stride;
    }
    for (uint32_t ow = 0; ow < dims[4]; ow += run.outputs) {
      run.outputs = outputs_at_once(dims[4] - ow);
      run.x = pool.x.read<std::byte>() + (x + put_columns(pool.windows[2], ow, run));
      run.y = pool.y.write<std::byte>() + (y + ow);
      max_pool_plane_base(run);
    }
  }
}

Status run_planes(const Step& step, const Platform& platform) {
  Pool pool(step, false);
  const uint32_t* dims = pool.y.dims;
  const uint32_t rows = pool.items == 0 ? 0 : dims[0] * dims[1] * dims[2] * dims[3];
  split(platform, rows, pool.work, plane_items, &pool);
  return ok_status();
}
#else
constexpr decltype(Form::run) kRunChannels = nullptr, run_planes = nullptr;
#endif

}  // namespace

constexpr Form kMaxPoolForm42 = make_form(Op::kMaxPool, 42,
                                          {.parallel = true,
                                           .safe_distance = integer_max_pool_distance,
                                           .accepts = takes_integer_max_pool,
                                           .run = kRunChannels});
ARENITE_FORM_CODE(MaxPool, 42)
constexpr Form kMaxPoolForm43 = make_form(Op::kMaxPool, 43,
                                          {.parallel = true,
                                           .safe_distance = planes_distance,
                                           .accepts = takes_planes,
                                           .run = run_planes});
ARENITE_FORM_CODE(MaxPool, 43)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
