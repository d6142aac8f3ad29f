// The forms of quantized_average_pool of 16-bit integers whose kernels add up all channels of a
// block at once.
#pragma once

#include "portable_fallback/fast/int16_pool.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/pool_taps.h"
#include "portable_fallback/shared/quantized_pool.h"
#include "portable_fallback/shared/split.h"

namespace arenite {

// Whether channels of int16 are neighbors.
bool takes_int16_pool(const Step& step);

// Writes the results of a window.
void put_int16_pooled(const QuantizedPool& pool, const PoolWindow& at, const uint32_t* sums);

template <Int16TapSums* kSumTaps>
void int16_pool_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& pool = *static_cast<const QuantizedPool*>(argument);
  for_windows(pool, first, last, [&](const PoolWindow& at) {
    uint32_t sums[kBlock];
    kSumTaps(taps_of_window<int16_t, Int16PoolTaps>(pool, at), at.count, sums);
    put_int16_pooled(pool, at, sums);
  });
}

template <Int16TapSums* kSumTaps>
Status run_int16_pool(const Step& step, const Platform& platform) {
  QuantizedPool pool(step);
  split(platform, pool.items, pool.work, int16_pool_items<kSumTaps>, &pool);
  return ok_status();
}

template <Int16TapSums* kSumTaps>
constexpr Form int16_pool_form(uint8_t number) {
  return make_form(Op::kQuantizedAveragePool, number,
                   {.parallel = true,
                    .safe_distance = quantized_pool_distance,
                    .accepts = takes_int16_pool,
                    .run = run_int16_pool<kSumTaps>});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
