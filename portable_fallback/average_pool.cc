// The mean of each window, with or without the padding in it.
#include "core/attributes.h"
#include "core/kernel.h"
#include "portable_fallback/check.h"
#include "portable_fallback/kernels.h"
#include "portable_fallback/pool.h"

namespace arenite {
namespace {

Status check_average_pool(const Step& step) {
  ARENITE_TRY(check_operands(step, {.min_inputs = 1, .max_inputs = 1, .max_outputs = 1}));
  ARENITE_TRY(check_all_types(step, DType::kFloat32));
  return check_pool(step);
}

// Elements a window counts: those inside the input and, if asked, inside the padding.
float divisor(const Pool& pool, const PoolWindow& at) {
  float count = 1.0f;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    Taps taps = at.taps[axis];
    if (pool.attributes.count_include_pad != 0) {
      const Window& window = pool.windows[axis];
      taps = window.taps_within(
          at.start[axis], -static_cast<int32_t>(window.pad_begin),
          static_cast<int32_t>(pool.x.dims[2 + axis] + pool.attributes.pad_end[axis]));
    }
    count *= static_cast<float>(taps.end - taps.begin);
  }
  return count;
}

void average_pool_items(void* argument, uint32_t first, uint32_t last) {
  const auto& pool = *static_cast<const Pool*>(argument);
  const Src<float> x = pool.x.read<float>();
  const Dst<float> y = pool.y.write<float>();
  const size_t x_c = pool.x.strides[1];
  const size_t y_c = pool.y.strides[1];
  for_windows(pool, first, last, [&](const PoolWindow& at) {
    float sums[kBlock] = {};
    if (x_c == 1 && at.count == kBlock) {
      for_taps(pool, at, [&](size_t offset, uint32_t, uint32_t, uint32_t) {
        Src<float> from = x + offset;
#pragma GCC unroll 16
        for (uint32_t j = 0; j < kBlock; ++j) sums[j] += from[j];
      });
    } else {
      for_taps(pool, at, [&](size_t offset, uint32_t, uint32_t, uint32_t) {
        for (uint32_t j = 0; j < at.count; ++j) sums[j] += x[offset + j * x_c];
      });
    }
    const float count = divisor(pool, at);
    for (uint32_t j = 0; j < at.count; ++j) y[at.y + j * y_c] = sums[j] / count;
  });
}

Status run_average_pool(const Step& step, const Platform& platform) {
  Pool pool(step, step.serial());
  split(platform, pool.items, pool.work, average_pool_items, &pool);
  return ok_status();
}

}  // namespace

constexpr Kernel kAveragePoolKernel = {
    .op = Op::kAveragePool,
    .check = check_average_pool,
    .run = run_average_pool,
    .scratch_bytes = nullptr,
    .weight_layouts = 1u << static_cast<uint32_t>(Layout::kStrided),
    .alignment = alignof(float),
    .tail_bytes = 0,
    .parallel = true,
    .lead_bytes = pool_lead,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
