// Finds the taps of windows, and writes results of 8 bits.
#include "portable_fallback/shared/integer_pool.h"

namespace arenite {

static_assert(kPoolChannels == kBlock);

bool takes_integer_pool(const Step& step) {
  const Tensor x = step.input(0);
  const auto attributes = step.attributes<QuantizedAveragePoolAttributes>();
  uint64_t taps = 1;
  for (const uint32_t kernel : attributes.kernel) taps = taps > kPoolTapsMax ? taps : taps * kernel;
  return element_bytes(x.dtype()) == 1 && x.strides[1] == 1 && taps <= kPoolTapsMax;
}

PoolTaps pool_taps(const QuantizedPool& pool, const PoolWindow& at) {
  PoolTaps taps = {};
  size_t offset = at.x;
  uint32_t count = 1;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const Window& window = pool.windows[axis];
    const uint32_t stride = pool.x.strides[2 + axis];
    taps.counts[axis] = at.taps[axis].end - at.taps[axis].begin;
    taps.steps[axis] = size_t{window.dilation} * stride;
    count *= taps.counts[axis];
    if (taps.counts[axis] == 0) continue;
    const auto first = at.start[axis] + static_cast<int32_t>(at.taps[axis].begin * window.dilation);
    offset += static_cast<size_t>(first) * stride;
  }
  taps.x = pool.x.read<std::byte>() + (count == 0 ? 0 : offset);
  taps.is_unsigned = pool.x.dtype() == DType::kUint8;
  return taps;
}

void put_pooled(const QuantizedPool& pool, const PoolWindow& at, const int32_t* sums) {
  uint32_t count = 1;
  for (const Taps& taps : at.taps) count *= taps.end - taps.begin;
  const size_t y_c = pool.y.strides[1];
  Dst<int8_t> y = pool.y.write<int8_t>() + at.y;
  for (uint32_t j = 0; j < at.count; ++j, y += y_c) {
    *y = static_cast<int8_t>(pooled(pool, sums[j], count));
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
