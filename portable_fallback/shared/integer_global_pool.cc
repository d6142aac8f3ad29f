// Reads the one window of a step, and writes results of 8 bits.
#include "portable_fallback/shared/integer_global_pool.h"

namespace arenite {
namespace {

bool is_mean(const Step& step) {
  QuantizedAveragePoolAttributes room;
  return step.attributes(room).multiplier == 0 && !step.has_input(1);
}

bool takes_global_pool(const Step& step) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  QuantizedAveragePoolAttributes room;
  const QuantizedAveragePoolAttributes& by = step.attributes(room);
  uint64_t taps = 1;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const uint32_t kernel = by.kernel[axis];
    if (y.dims[2 + axis] != 1 || by.pad_begin[axis] != 0 || kernel == 0 || kernel > kPoolTapsMax ||
        uint64_t{kernel - 1} * by.dilation[axis] >= x.dims[2 + axis]) {
      return false;
    }
    taps *= kernel;
  }
  return element_bytes(x.dtype()) == 1 && x.dims[0] == 1 && x.strides[1] == 1 &&
         y.strides[1] == 1 && taps <= kPoolTapsMax;
}

}  // namespace

GlobalPool global_pool(const Step& step) {
  const Tensor x = step.input(0);
  GlobalPool pool = {};
  pool.by = step.attributes<QuantizedAveragePoolAttributes>();
  pool.taps.x = x.read<std::byte>();
  pool.taps.is_unsigned = x.dtype() == DType::kUint8;
  pool.count = 1;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const uint32_t kernel = pool.by.kernel[axis];
    pool.taps.counts[axis] = kernel;
    pool.taps.steps[axis] = size_t{pool.by.dilation[axis]} * x.strides[2 + axis];
    pool.count *= kernel;
  }
  pool.y = step.output(0).write<int8_t>();
  pool.channels = x.dims[1];
  return pool;
}

GlobalPool scaled_global_pool(const Step& step) {
  GlobalPool pool = global_pool(step);
  if (step.has_input(1)) {
    const Tensor multipliers = step.input(1);
    pool.by.multiplier = multipliers.read<int32_t>()[size_t{pool.count} * multipliers.strides[0]];
  }
  return pool;
}

bool takes_global_mean(const Step& step) { return is_mean(step) && takes_global_pool(step); }

bool takes_scaled_global_pool(const Step& step) {
  return !is_mean(step) && takes_global_pool(step);
}

// Channels lie in the same order on both sides, and there are no others. The multipliers are read
// at the beginning.
uint64_t global_pool_distance(const Step&, uint32_t input) { return input == 0 ? 0 : kNoOverlap; }

void put_means(const GlobalPool& pool, uint32_t channel, uint32_t count, const int32_t* sums) {
  const Mean mean(pool.by.output, pool.count);
  for (uint32_t j = 0; j < count; ++j) pool.y[channel + j] = static_cast<int8_t>(mean(sums[j]));
}

void put_scaled(const GlobalPool& pool, uint32_t channel, uint32_t count, const int32_t* sums) {
  put_scaled_sums<int8_t>(pool.by, pool.by.multiplier, pool.count,
                          {sums, count, pool.y + channel, 1});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
