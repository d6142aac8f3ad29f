// Serves the forms of quantized_average_pool: the step as they see it, and a window's result.
#pragma once

#include "portable_fallback/shared/modular.h"
#include "portable_fallback/shared/pool.h"
#include "portable_fallback/shared/requantization.h"

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

// Whether results are means.
bool is_mean(const QuantizedPool& pool);
// The multiplier of sums of `count` elements, where results are no means.
int32_t multiplier_of(const QuantizedPool& pool, uint32_t count);
// The result of the sum of `count` elements.
int32_t pooled(const QuantizedPool& pool, int32_t sum, uint32_t count);

// Sums of channels, and where their results go.
template <typename T>
struct ChannelSums {
  const int32_t* sums;
  uint32_t channels;
  Dst<T> y;
  size_t y_c;  // elements between channels
};

// Sums that are no means become results by these, where halves go to even: (sum + added) * factor
// / 2^right.
struct EvenScale {
  int32_t added, factor;
  uint32_t right;  // 33 to 63; 0: not in this way
};
EvenScale even_scale(const QuantizedAveragePoolAttributes& by, int32_t multiplier, uint32_t count);

// (sum + added) * factor / 2^right, rounded. Half of a unit is added, whose lower word is zero: the
// product was a half if nothing is left behind the point.
inline int32_t scaled_to_even(int32_t sum, const EvenScale& scale) {
  const uint32_t right = scale.right - 32;
  const int64_t half = int64_t{1 << (right - 1)} << 32;
  const int64_t product = int64_t{wrapped_sum(sum, scale.added)} * scale.factor + half;
  const auto upper = static_cast<int32_t>(product >> 32);
  const int32_t rounded = upper >> right;
  const uint32_t rest = static_cast<uint32_t>(upper) & ((uint32_t{1} << right) - 1);
  return (static_cast<uint32_t>(product) | rest) == 0 ? rounded & ~1 : rounded;
}

// Writes the results of sums of `count` elements that are no means.
template <typename T>
[[gnu::noinline]] void put_scaled_sums(const QuantizedAveragePoolAttributes& by, int32_t multiplier,
                                       uint32_t count, ChannelSums<T> from) {
  const EvenScale scale = even_scale(by, multiplier, count);
  if (scale.right == 0) {
    for (; from.channels != 0; --from.channels, from.y += from.y_c) {
      *from.y = static_cast<T>(
          finished(wrapped_sum(*from.sums++, scale.added), multiplier, by.shift, by.output));
    }
    return;
  }
  // Copies: what is written could be the attributes' own bytes.
  const int32_t zero_point = by.output.zero_point, low = by.output.low, high = by.output.high;
  for (; from.channels != 0; --from.channels, from.y += from.y_c) {
    const int32_t number = scaled_to_even(*from.sums++, scale) + zero_point;
    const int32_t raised = number < low ? low : number;
    *from.y = static_cast<T>(raised > high ? high : raised);
  }
}

// The safe distance of each input.
uint64_t quantized_pool_distance(const Step& step, uint32_t input);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
