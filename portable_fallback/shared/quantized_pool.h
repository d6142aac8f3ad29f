// Serves the forms of quantized_average_pool: the step as they see it, and a window's result.
#pragma once

#include <bit>

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

// A product divided by 2^right with 32 < right < 64, halves to even: its lower word lies behind the
// half, and only matters where it is not zero.
inline int32_t divided_to_even(int64_t product, uint32_t right) {
  constexpr uint32_t kHalf = uint32_t{1} << 31;
  const auto upper = static_cast<int32_t>(product >> 32);
  const int32_t whole = upper >> (right - 32);
  const uint32_t behind = static_cast<uint32_t>(product) != 0 ? 1 : 0;
  const uint32_t rest = static_cast<uint32_t>(upper) << (64 - right) | behind;
  return rest > kHalf || (rest == kHalf && (whole & 1) != 0) ? whole + 1 : whole;
}

// Writes the results of sums of `count` elements that are no means.
template <typename T>
[[gnu::noinline]] void put_scaled_sums(const QuantizedAveragePoolAttributes& by, int32_t multiplier,
                                       uint32_t count, ChannelSums<T> from) {
  const int32_t added =
      wrapped_negative(wrapped_product(static_cast<int32_t>(count), by.x_zero_point));
  // As large a multiplier, whose products are divided by more.
  const int32_t spare = std::countl_zero(static_cast<uint32_t>(multiplier)) - 1;
  const int32_t right = 31 - by.shift + spare;
  if (by.output.rounding != Rounding::kHalfEven || multiplier <= 0 || right < 33 || right > 63) {
    for (; from.channels != 0; --from.channels, from.y += from.y_c) {
      *from.y = static_cast<T>(
          finished(wrapped_sum(*from.sums++, added), multiplier, by.shift, by.output));
    }
    return;
  }
  // Copies: what is written could be the attributes' own bytes.
  const int32_t zero_point = by.output.zero_point, low = by.output.low, high = by.output.high;
  const int32_t factor = multiplier << spare;
  for (; from.channels != 0; --from.channels, from.y += from.y_c) {
    const int64_t product = int64_t{wrapped_sum(*from.sums++, added)} * factor;
    const int32_t number = divided_to_even(product, static_cast<uint32_t>(right)) + zero_point;
    *from.y = static_cast<T>(number < low ? low : number > high ? high : number);
  }
}

// The safe distance of each input.
uint64_t quantized_pool_distance(const Step& step, uint32_t input);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
