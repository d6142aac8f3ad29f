// The forms of quantized_average_pool of one image with one window, which global pools are: all
// that windows among others take is left out of images that have none.
#pragma once

#include "portable_fallback/fast/integer_pool.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/quantized_pool.h"
#include "portable_fallback/shared/split.h"

namespace arenite {

struct GlobalPool {
  explicit GlobalPool(const Step& step);

  uint32_t items() const { return (channels + kPoolChannels - 1) / kPoolChannels; }

  PoolTaps taps;  // of the first channel
  Dst<int8_t> y;
  uint32_t channels, count;  // count: of taps
  QuantizedAveragePoolAttributes by;
  int32_t multiplier;
  bool is_mean;  // there is no multiplier
};

// Whether elements are bytes whose channels are neighbors, and the window lies inside x.
bool takes_global_pool(const Step& step);

// The sums of up to 16 channels are read, then as many results are written.
uint64_t global_pool_distance(const Step& step, uint32_t input);

// Writes the results of so many channels from one on.
void put_global(const GlobalPool& pool, uint32_t channel, uint32_t count, const int32_t* sums);

template <void (*kSumTaps)(const PoolTaps&, uint32_t, int32_t*)>
void global_pool_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& pool = *static_cast<const GlobalPool*>(argument);
  PoolTaps taps = pool.taps;
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t channel = item * kPoolChannels;
    const uint32_t left = pool.channels - channel;
    const uint32_t count = left < kPoolChannels ? left : kPoolChannels;
    taps.x = pool.taps.x + channel;
    int32_t sums[kPoolChannels];
    kSumTaps(taps, count, sums);
    put_global(pool, channel, count, sums);
  }
}

template <void (*kSumTaps)(const PoolTaps&, uint32_t, int32_t*)>
Status run_global_pool(const Step& step, const Platform& platform) {
  GlobalPool pool(step);
  split(platform, pool.items(), uint64_t{pool.channels} * pool.count, global_pool_items<kSumTaps>,
        &pool);
  return ok_status();
}

template <void (*kSumTaps)(const PoolTaps&, uint32_t, int32_t*)>
constexpr Form global_pool_form(uint8_t number) {
  return make_form(Op::kQuantizedAveragePool, number,
                   {.parallel = true,
                    .safe_distance = global_pool_distance,
                    .accepts = takes_global_pool,
                    .run = run_global_pool<kSumTaps>});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
