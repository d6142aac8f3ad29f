// Divides the sums of windows, or requantizes them by what holds the division.
#include "portable_fallback/shared/quantized_pool.h"

#include <cstddef>

#include "core/form.h"
#include "portable_fallback/shared/modular.h"
#include "portable_fallback/shared/requantization.h"

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

int32_t pooled(const Attributes& by, const int32_t* multiplier, int32_t sum, uint32_t count) {
  const Requantization& output = by.output;
  if (multiplier == nullptr) return Mean(output, count)(sum);
  const auto zeros = wrapped_product(static_cast<int32_t>(count), by.x_zero_point);
  return finished(wrapped_sum(sum, wrapped_negative(zeros)), *multiplier, by.shift, output);
}

int32_t pooled(const QuantizedPool& pool, int32_t sum, uint32_t count) {
  int32_t multiplier = pool.by.multiplier;
  const bool has_each = pool.multipliers.data != nullptr;
  if (has_each) {
    multiplier = pool.multipliers.read<int32_t>()[size_t{count} * pool.multipliers.strides[0]];
  }
  return pooled(pool.by, has_each || multiplier != 0 ? &multiplier : nullptr, sum, count);
}

// The multipliers are read to the end.
uint64_t quantized_pool_distance(const Step& step, uint32_t input) {
  return input == 0 ? pool_distance(step, input) : kNoOverlap;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
