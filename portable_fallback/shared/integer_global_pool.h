// The forms of quantized_average_pool of one image with one window, which global pools are: all
// that windows among others take is left out of images that have none.
#pragma once

#include "portable_fallback/fast/integer_pool.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/quantized_pool.h"
#include "portable_fallback/shared/split.h"

namespace arenite {

struct GlobalPool {
  uint32_t items() const { return (channels + kPoolChannels - 1) / kPoolChannels; }

  PoolTaps taps;  // of the first channel
  Dst<int8_t> y;
  uint32_t channels, count;  // count: of taps
  QuantizedAveragePoolAttributes by;
};

GlobalPool global_pool(const Step& step);
// The same, the multiplier in its attributes.
GlobalPool scaled_global_pool(const Step& step);

// Whether elements are bytes whose channels are neighbors, and the window lies inside x; results
// are means, or those of a multiplier.
bool takes_global_mean(const Step& step);
bool takes_scaled_global_pool(const Step& step);

// The sums of up to 16 channels are read, then as many results are written.
uint64_t global_pool_distance(const Step& step, uint32_t input);

// Write the results of so many channels from one on.
void put_means(const GlobalPool& pool, uint32_t channel, uint32_t count, const int32_t* sums);
void put_scaled(const GlobalPool& pool, uint32_t channel, uint32_t count, const int32_t* sums);

// The forms of kernels that add up taps; those of means link no other results.
template <void (*kSumTaps)(const PoolTaps&, uint32_t, int32_t*), bool kIsMean>
struct GlobalPoolForm {
  static void items(void* argument, uint32_t first, uint32_t last, uint32_t) {
    const auto& pool = *static_cast<const GlobalPool*>(argument);
    PoolTaps taps = pool.taps;
    for (uint32_t item = first; item < last; ++item) {
      const uint32_t channel = item * kPoolChannels;
      const uint32_t left = pool.channels - channel;
      const uint32_t count = left < kPoolChannels ? left : kPoolChannels;
      taps.x = pool.taps.x + channel;
      int32_t sums[kPoolChannels];
      kSumTaps(taps, count, sums);
      (kIsMean ? put_means : put_scaled)(pool, channel, count, sums);
    }
  }

  static Status run(const Step& step, const Platform& platform) {
    GlobalPool pool = (kIsMean ? global_pool : scaled_global_pool)(step);
    split(platform, pool.items(), uint64_t{pool.channels} * pool.count, items, &pool);
    return ok_status();
  }

  static constexpr Form form(uint8_t number) {
    return make_form(Op::kQuantizedAveragePool, number,
                     {.parallel = true,
                      .safe_distance = global_pool_distance,
                      .accepts = kIsMean ? takes_global_mean : takes_scaled_global_pool,
                      .run = run});
  }
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
