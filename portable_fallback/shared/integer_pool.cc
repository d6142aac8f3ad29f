// Finds the taps of windows, and writes results of 8 bits.
#include "portable_fallback/shared/integer_pool.h"

#include "portable_fallback/shared/pool_taps.h"

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
  auto taps = taps_of_window<std::byte, PoolTaps>(pool, at);
  taps.is_unsigned = pool.x.dtype() == DType::kUint8;
  return taps;
}

void put_pooled(const QuantizedPool& pool, const PoolWindow& at, const int32_t* sums) {
  const uint32_t count = tap_count(at);
  const size_t y_c = pool.y.strides[1];
  Dst<int8_t> y = pool.y.write<int8_t>() + at.y;
  if (is_mean(pool)) {
    const Mean mean(pool.by.output, count);
    for (uint32_t j = 0; j < at.count; ++j, y += y_c) *y = static_cast<int8_t>(mean(sums[j]));
    return;
  }
  put_scaled_sums<int8_t>(pool.by, multiplier_of(pool, count), count, {sums, at.count, y, y_c});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
