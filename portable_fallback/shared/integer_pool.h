// The forms of quantized_average_pool whose kernels add up all channels of a block at once.
#pragma once

#include "portable_fallback/fast/integer_pool.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/quantized_pool.h"
#include "portable_fallback/shared/split.h"

namespace arenite {

// Whether elements are bytes whose channels are neighbors, in windows whose sums are 16 bits.
bool takes_integer_pool(const Step& step);

// The taps of a window, of its first channel.
PoolTaps pool_taps(const QuantizedPool& pool, const PoolWindow& at);

// Writes the results of a window.
using PutPooled = void(const QuantizedPool& pool, const PoolWindow& at, const int32_t* sums);
PutPooled put_pooled;

template <void (*kSumTaps)(const PoolTaps&, uint32_t, int32_t*), PutPooled* kPut>
void integer_pool_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& pool = *static_cast<const QuantizedPool*>(argument);
  for_windows(pool, first, last, [&](const PoolWindow& at) {
    int32_t sums[kPoolChannels];
    kSumTaps(pool_taps(pool, at), at.count, sums);
    kPut(pool, at, sums);
  });
}

template <void (*kSumTaps)(const PoolTaps&, uint32_t, int32_t*), PutPooled* kPut>
Status run_integer_pool(const Step& step, const Platform& platform) {
  QuantizedPool pool(step);
  split(platform, pool.items, pool.work, integer_pool_items<kSumTaps, kPut>, &pool);
  return ok_status();
}

template <void (*kSumTaps)(const PoolTaps&, uint32_t, int32_t*), PutPooled* kPut = put_pooled>
constexpr Form integer_pool_form(uint8_t number) {
  return make_form(Op::kQuantizedAveragePool, number,
                   {.parallel = true,
                    .safe_distance = quantized_pool_distance,
                    .accepts = takes_integer_pool,
                    .run = run_integer_pool<kSumTaps, kPut>});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
