// Means of windows of bytes, of up to 16 channels at once, with vectors of any kind.
#pragma once

#include "portable_fallback/fast/integer_pool.h"

namespace arenite {

// What makes results of sums, in double: products and quotients are exact, or are as far from a
// half as they were.
struct PoolScale {
  bool is_mean;   // by `count`, halves away from zero; else by `factor`, halves to even
  int32_t count;  // elements of the window
  int32_t added;  // to the sums: what takes zero points off
  double factor;  // below 2^31
  int32_t zero_point, low, high;
};

// The sums of up to kPoolChannels channels; there is room for kPoolChannels.
void sum_taps_base(const PoolTaps& taps, uint32_t channels, int32_t* sums);

// y_c: elements between channels of y.
void pool_bytes_base(const PoolTaps& taps, const PoolScale& scale, uint32_t channels,
                     Dst<std::byte> y, size_t y_c);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
