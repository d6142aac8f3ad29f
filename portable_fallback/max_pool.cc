// The greatest element of each window, and optionally where it lies.
#include <limits>
#include <type_traits>

#include "core/attributes.h"
#include "core/kernel.h"
#include "portable_fallback/check.h"
#include "portable_fallback/kernels.h"
#include "portable_fallback/pool.h"

namespace arenite {
namespace {

Status check_max_pool(const Step& step) {
  ARENITE_TRY(check_operands(step, {.min_inputs = 1, .max_inputs = 1, .max_outputs = 2}));
  ARENITE_TRY(check_pool(step));
  const DType type = step.input(0).dtype;
  if (type != DType::kFloat32 && type != DType::kUint8 && type != DType::kInt8) {
    return input_error(step, Code::kBadType, 0);
  }
  ARENITE_TRY(check_output_type(step, 0, type));
  if (step.output_count() < 2) return ok_status();
  ARENITE_TRY(check_output_type(step, 1, DType::kInt64));
  const OutTensor y = step.output(0);
  const OutTensor indices = step.output(1);
  bool same = indices.rank == 5;
  for (uint32_t d = 0; same && d < 5; ++d) same = indices.dims[d] == y.dims[d];
  return same ? ok_status() : output_error(step, Code::kBadShape, 1);
}

template <typename T>
bool is_nan(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return __builtin_isnan(value);
  } else {
    return false;
  }
}

// NaN is greater than any number: it reaches the output.
template <typename T>
bool is_greater(T a, T b) {
  return a > b || is_nan(a);
}

template <typename T>
void max_pool_items(void* argument, uint32_t first, uint32_t last) {
  const auto& pool = *static_cast<const Pool*>(argument);
  Src<T> x = pool.x.read<T>();
  Dst<T> y = pool.y.write<T>();
  const size_t x_c = pool.x.strides[1];
  const size_t y_c = pool.y.strides[1];
  using Limits = std::numeric_limits<T>;
  const T lowest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  for_windows(pool, first, last, [&](const PoolWindow& at) {
    T best[kBlock];
    for (T& v : best) v = lowest;
    if (x_c == 1 && at.count == kBlock) {
      for_taps(pool, at, [&](size_t offset, uint32_t, uint32_t, uint32_t) {
        Src<T> from = x + offset;
#pragma GCC unroll 16
        for (uint32_t j = 0; j < kBlock; ++j) {
          const T v = from[j];
          best[j] = is_greater(v, best[j]) ? v : best[j];
        }
      });
    } else {
      for_taps(pool, at, [&](size_t offset, uint32_t, uint32_t, uint32_t) {
        for (uint32_t j = 0; j < at.count; ++j) {
          const T v = x[offset + j * x_c];
          best[j] = is_greater(v, best[j]) ? v : best[j];
        }
      });
    }
    for (uint32_t j = 0; j < at.count; ++j) y[at.y + j * y_c] = best[j];
  });
}

// The first position that holds the maximum, channel by channel; -1 for a window outside the input.
template <typename T>
void index_items(const Pool& pool, const OutTensor& out) {
  Src<T> x = pool.x.read<T>();
  const uint32_t* dims = pool.x.dims;
  const int64_t size = int64_t{dims[2]} * dims[3] * dims[4];
  // for_windows walks outputs by the strides of the pool's y, so that is put in its place.
  Pool walk = pool;
  walk.y = out;
  for_windows(walk, 0, walk.items, [&](const PoolWindow& at) {
    for (uint32_t j = 0; j < at.count; ++j) {
      int64_t index = -1;
      T best{};
      for_taps(walk, at, [&](size_t offset, uint32_t d, uint32_t h, uint32_t w) {
        const T v = x[offset + j * size_t{walk.x.strides[1]}];
        // After a NaN nothing is greater.
        if (index >= 0 && (is_nan(best) || !is_greater(v, best))) return;
        best = v;
        index = walk.attributes.column_major != 0 ? (int64_t{w} * dims[3] + h) * dims[2] + d
                                                  : (int64_t{d} * dims[3] + h) * dims[4] + w;
      });
      if (index >= 0) {
        index += (int64_t{at.index[0]} * dims[1] + at.index[1] + j) * size;
      }
      out.write<int64_t>()[at.y + j * size_t{out.strides[1]}] = index;
    }
  });
}

Status run_max_pool(const Step& step, const Platform& platform) {
  Pool pool(step, step.serial());
  switch (pool.x.dtype) {
    case DType::kUint8:
      split(platform, pool.items, pool.work, max_pool_items<uint8_t>, &pool);
      if (step.output_count() > 1) index_items<uint8_t>(pool, step.output(1));
      break;
    case DType::kInt8:
      split(platform, pool.items, pool.work, max_pool_items<int8_t>, &pool);
      if (step.output_count() > 1) index_items<int8_t>(pool, step.output(1));
      break;
    default:
      split(platform, pool.items, pool.work, max_pool_items<float>, &pool);
      if (step.output_count() > 1) index_items<float>(pool, step.output(1));
      break;
  }
  return ok_status();
}

}  // namespace

constexpr Kernel kMaxPoolKernel = {
    .op = Op::kMaxPool,
    .check = check_max_pool,
    .run = run_max_pool,
    .scratch_bytes = nullptr,
    .weight_layouts = 1u << static_cast<uint32_t>(Layout::kStrided),
    .alignment = 1,
    .tail_bytes = 0,
    .parallel = true,
    .lead_bytes = pool_lead,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
