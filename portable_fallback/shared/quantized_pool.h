// Serves the forms of quantized_average_pool: the step as they see it, and a window's result.
#pragma once

#include "portable_fallback/shared/pool.h"

namespace arenite {

struct QuantizedPool : Pool {
  explicit QuantizedPool(const Step& step);

  QuantizedAveragePoolAttributes by;
  Tensor multipliers;  // without data: none
};

// The mean of `count` elements of a sum, halves away from zero, within the limits; 0 of none.
class Mean {
 public:
  Mean(const Requantization& output, uint32_t count)
      : divisor_(static_cast<int32_t>(count)), low_(output.low), high_(output.high) {}

  int32_t operator()(int32_t sum) const {
    const int32_t half = divisor_ / 2;
    const int32_t rounded = divisor_ == 0 ? 0 : (sum > 0 ? sum + half : sum - half) / divisor_;
    return rounded < low_ ? low_ : rounded > high_ ? high_ : rounded;
  }

 private:
  int32_t divisor_, low_, high_;
};

// The result of the sum of `count` elements: by a multiplier, or the mean if that is null.
int32_t pooled(const QuantizedAveragePoolAttributes& by, const int32_t* multiplier, int32_t sum,
               uint32_t count);
int32_t pooled(const QuantizedPool& pool, int32_t sum, uint32_t count);

// The safe distance of each input.
uint64_t quantized_pool_distance(const Step& step, uint32_t input);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
