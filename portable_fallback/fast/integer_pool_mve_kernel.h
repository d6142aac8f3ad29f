// Adds up the elements of windows of 8-bit integers with Arm's MVE, and makes results of the sums.
#pragma once

#include "portable_fallback/fast/integer_pool.h"

namespace arenite {

// The sums of up to kPoolChannels channels; there is room for kPoolChannels.
void sum_taps_mve(const PoolTaps& taps, uint32_t channels, int32_t* sums);

// The sums of windows that have as many elements become means by these: halves go away from zero.
struct PoolMeans {
  uint32_t reciprocal;  // 2^31 / elements, rounded up
  int32_t half;         // of the elements, rounded down
  int32_t low, high;
};
// The same of results that are (sum + added) * factor / 2^right, halves to even, + zero_point.
struct PoolProducts {
  int32_t added, factor;
  uint32_t right;  // 33 to 63
  int32_t zero_point, low, high;
};

// Write results of up to kPoolChannels sums. y_c: elements between channels of y.
void finish_means_mve(const PoolMeans& means, const int32_t* sums, uint32_t channels,
                      Dst<std::byte> y, size_t y_c);
void finish_products_mve(const PoolProducts& products, const int32_t* sums, uint32_t channels,
                         Dst<std::byte> y, size_t y_c);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
