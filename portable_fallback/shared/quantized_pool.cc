// Divides the sums of windows, or requantizes them by what holds the division.
#include "portable_fallback/shared/quantized_pool.h"

#include <bit>
#include <cstddef>

#include "core/form.h"

namespace arenite {
namespace {

using Attributes = QuantizedAveragePoolAttributes;
// The walk reads these words as a pool's.
static_assert(offsetof(Attributes, kernel) == offsetof(PoolAttributes, kernel) &&
              offsetof(Attributes, stride) == offsetof(PoolAttributes, stride) &&
              offsetof(Attributes, dilation) == offsetof(PoolAttributes, dilation) &&
              offsetof(Attributes, pad_begin) == offsetof(PoolAttributes, pad_begin));

}  // namespace

QuantizedPool::QuantizedPool(const Step& step)
    : Pool(step, step.serial()), by(step.attributes<Attributes>()) {
  if (step.has_input(1)) multipliers = step.input(1);
}

bool is_mean(const QuantizedPool& pool) {
  return pool.multipliers.data == nullptr && pool.by.multiplier == 0;
}

int32_t multiplier_of(const QuantizedPool& pool, uint32_t count) {
  if (pool.multipliers.data == nullptr) return pool.by.multiplier;
  return pool.multipliers.read<int32_t>()[size_t{count} * pool.multipliers.strides[0]];
}

int32_t pooled(const QuantizedPool& pool, int32_t sum, uint32_t count) {
  if (is_mean(pool)) return Mean(pool.by.output, count)(sum);
  const auto zeros = wrapped_product(static_cast<int32_t>(count), pool.by.x_zero_point);
  return finished(wrapped_sum(sum, wrapped_negative(zeros)), multiplier_of(pool, count),
                  pool.by.shift, pool.by.output);
}

// A multiplier as large as may be, whose products are divided by more.
EvenScale even_scale(const QuantizedAveragePoolAttributes& by, int32_t multiplier, uint32_t count) {
  EvenScale scale = {
      wrapped_negative(wrapped_product(static_cast<int32_t>(count), by.x_zero_point)), 0, 0};
  const int32_t spare = std::countl_zero(static_cast<uint32_t>(multiplier)) - 1;
  const int32_t right = 31 - by.shift + spare;
  if (by.output.rounding == Rounding::kHalfEven && multiplier > 0 && right >= 33 && right <= 63) {
    scale.factor = multiplier << spare;
    scale.right = static_cast<uint32_t>(right);
  }
  return scale;
}

// The multipliers are read to the end.
uint64_t quantized_pool_distance(const Step& step, uint32_t input) {
  return input == 0 ? pool_distance(step, input) : kNoOverlap;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
