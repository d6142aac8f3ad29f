// Adds taps in vectors of 16 bits; results are made by plain loops, of which compilers make
// vectors.
#include "portable_fallback/fast/integer_pool_base_kernel.h"

#include <bit>

#include "portable_fallback/fast/integer_pool_scalar_kernel.h"

namespace arenite {
namespace {

// Eight sums, or eight pairs of bytes: of each pair one shift has the upper byte, two have the
// lower.
using Signed __attribute__((vector_size(kPoolChannels))) = int16_t;
using Unsigned __attribute__((vector_size(kPoolChannels))) = uint16_t;
static_assert(std::endian::native == std::endian::little);

template <typename Words>
void sum_taps(const PoolTaps& taps, int32_t* sums) {
  Words even = {}, odd = {};
  const auto add = [&](Src<std::byte> at) __attribute__((always_inline)) {
    Words pairs;
    take(static_cast<std::byte*>(static_cast<void*>(&pairs)), at, kPoolChannels);
    even += (pairs << 8) >> 8;
    odd += pairs >> 8;
  };
  for_each_tap(taps, taps.x, add);
  for (uint32_t c = 0; c < kPoolChannels / 2; ++c) {
    sums[2 * c] = even[c];
    sums[2 * c + 1] = odd[c];
  }
}

inline int32_t limited_number(int32_t number, int32_t low, int32_t high) {
  const int32_t raised = number < low ? low : number;
  return raised > high ? high : raised;
}

// A sum is at most 255 * 255 and a divisor 255 in magnitude: quotients that are no integers are
// further from these than what they are rounded by.
void divide(const PoolScale& scale, int32_t* sums) {
  const double count = scale.count;
  const int32_t half = scale.count / 2, low = scale.low, high = scale.high;
  for (uint32_t c = 0; c < kPoolChannels; ++c) {
    const int32_t moved = sums[c] > 0 ? sums[c] + half : sums[c] - half;
    sums[c] = limited_number(static_cast<int32_t>(moved / count), low, high);
  }
}

// Numbers below 2^51 are rounded to integers, halves to even, where this is added.
constexpr double kRounds = 6755399441055744.0;  // 1.5 * 2^52

void multiply(const PoolScale& scale, int32_t* sums) {
  const double factor = scale.factor, zero_point = scale.zero_point;
  const double low = scale.low, high = scale.high;
  const int32_t added = scale.added;
  for (uint32_t c = 0; c < kPoolChannels; ++c) {
    const double product = static_cast<double>(sums[c] + added) * factor;
    const double moved = ((product + kRounds) - kRounds) + zero_point;
    const double raised = moved < low ? low : moved;
    sums[c] = static_cast<int32_t>(raised > high ? high : raised);
  }
}

}  // namespace

void sum_taps_base(const PoolTaps& taps, uint32_t channels, int32_t* sums) {
  if (channels != kPoolChannels) {
    sum_taps_scalar(taps, channels, sums);
  } else if (taps.is_unsigned) {
    sum_taps<Unsigned>(taps, sums);
  } else {
    sum_taps<Signed>(taps, sums);
  }
}

void pool_bytes_base(const PoolTaps& taps, const PoolScale& scale, uint32_t channels,
                     Dst<std::byte> y, size_t y_c) {
  int32_t sums[kPoolChannels] = {};
  sum_taps_base(taps, channels, sums);
  if (!scale.is_mean) {
    multiply(scale, sums);
  } else if (scale.count != 0) {
    divide(scale, sums);
  } else {
    for (int32_t& sum : sums) sum = limited_number(0, scale.low, scale.high);
  }
  std::byte results[kPoolChannels];
  for (uint32_t c = 0; c < kPoolChannels; ++c) results[c] = static_cast<std::byte>(sums[c]);
  if (y_c == 1 && channels == kPoolChannels) [[likely]] {
    put(y, static_cast<const std::byte*>(results), kPoolChannels);
    return;
  }
  for (uint32_t c = 0; c < channels; ++c) y[c * y_c] = results[c];
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
