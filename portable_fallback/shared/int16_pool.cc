// Writes means and scaled sums of 16-bit integers.
#include "portable_fallback/shared/int16_pool.h"

namespace arenite {

bool takes_int16_pool(const Step& step) {
  const Tensor x = step.input(0);
  return x.dtype() == DType::kInt16 && x.strides[1] == 1;
}

namespace {

// The means of so many sums of `count` elements, as mean() has each.
void put_means(const Requantization& output, uint32_t count, const int32_t* sums, uint32_t left,
               Dst<int16_t> y, size_t y_c) {
  const auto divisor = static_cast<int32_t>(count);
  const int32_t half = divisor / 2, low = output.low, high = output.high;
  for (; left != 0; --left, ++sums, y += y_c) {
    const int32_t sum = *sums;
    const int32_t rounded = divisor == 0 ? 0 : (sum > 0 ? sum + half : sum - half) / divisor;
    const int32_t raised = rounded < low ? low : rounded;
    *y = static_cast<int16_t>(raised > high ? high : raised);
  }
}

}  // namespace

void put_int16_pooled(const QuantizedPool& pool, const PoolWindow& at, const uint32_t* sums) {
  const uint32_t count = tap_count(at);
  const size_t y_c = pool.y.strides[1];
  const auto* signed_sums = static_cast<const int32_t*>(static_cast<const void*>(sums));
  Dst<int16_t> y = pool.y.write<int16_t>() + at.y;
  if (is_mean(pool)) {
    return put_means(pool.by.output, count, signed_sums, at.count, y, y_c);
  }
  put_scaled_sums<int16_t>(pool.by, multiplier_of(pool, count), count,
                           {signed_sums, at.count, y, y_c});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
