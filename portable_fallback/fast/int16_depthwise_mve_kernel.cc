// Multiplies eight columns of a place tap by tap, where x and w lie: products of 32 bits of even
// and of odd columns, which are added to sums in lanes. The channels of columns that share such are
// gathered.
#include "portable_fallback/fast/int16_depthwise_mve_kernel.h"

#include "portable_fallback/fast/int16_finish_mve.h"
#include "portable_fallback/fast/int16_windows.h"

namespace arenite {
namespace {

constexpr uint32_t kChannels = kInt16MveChannels;

// The channels that eight columns read, counted from the first one's.
struct Channels {
  // Columns `column` and the next, of which so many neighbors each share a channel.
  Channels(uint32_t sharers, uint32_t column) : first(column / sharers) {
    uint32_t before = column - first * sharers;
    uint16_t channel = 0;
    for (uint16_t& each : behind) {
      each = channel;
      if (++before == sharers) {
        before = 0;
        ++channel;
      }
    }
  }

  uint32_t first;
  uint16_t behind[kChannels];
};

// The sums of columns [column, column + count). kShares: columns share channels; else each reads
// that of its number.
template <bool kShares>
[[gnu::noinline]] void add_columns(const InsideTaps& window, size_t column,
                                   const Channels& channels, uint32_t count,
                                   int32_t (&sums)[kChannels]) {
  const auto* w_line = static_cast<const int8_t*>(static_cast<const void*>(window.w)) + column;
  Src<int16_t> line = window.x + channels.first;
  const size_t x_tap = window.x_tap, w_tap = window.w_tap;
#ifdef __ARM_FEATURE_MVE
  int32x4_t even = vdupq_n_s32(0), odd = vdupq_n_s32(0);
  const mve_pred16_t left = vctp16q(count);
  [[maybe_unused]] const uint16x8_t behind = vldrhq_u16(channels.behind);
  for (uint32_t h = window.lines; h != 0; --h, line += window.x_line, w_line += window.w_line) {
    Src<int16_t> x = line;
    const int8_t* w = w_line;
    for (uint32_t taps = window.taps; taps != 0; --taps, x += x_tap, w += w_tap) {
      int16x8_t numbers;
      if constexpr (kShares) {
        numbers = vldrhq_gather_shifted_offset_z_s16(x, behind, left);
      } else {
        numbers = vldrhq_z_s16(x, left);
      }
      const int16x8_t weights = vldrbq_z_s16(w, left);
      even = vaddq_s32(even, vmullbq_int_s16(numbers, weights));
      odd = vaddq_s32(odd, vmulltq_int_s16(numbers, weights));
    }
  }
  vst2q_s32(sums, (int32x4x2_t{{even, odd}}));
#else
  uint32_t totals[kChannels] = {};
  for (uint32_t h = window.lines; h != 0; --h, line += window.x_line, w_line += window.w_line) {
    Src<int16_t> x = line;
    const int8_t* w = w_line;
    for (uint32_t taps = window.taps; taps != 0; --taps, x += x_tap, w += w_tap) {
      for (uint32_t j = 0; j < count; ++j) {
        totals[j] += static_cast<uint32_t>(int32_t{x[channels.behind[j]]} * w[j]);
      }
    }
  }
  for (uint32_t j = 0; j < kChannels; ++j) sums[j] = static_cast<int32_t>(totals[j]);
#endif
}

}  // namespace

void add_int16_depthwise_mve(const Int16Products& p, uint32_t line) {
  const TapRange lines(line, p.stride_h, p.pad_h, p.dilation_h, p.kernel_h, p.in_h);
  const Int16Results& results = p.results;
  const uint32_t sharers = p.columns_of_channel;
  Channels channels(sharers, 0);
  for (uint32_t place = 0; place < p.out_w; ++place) {
    const InsideTaps window(p, lines, place);
    Dst<int16_t> y = p.y + (line * p.y_h + place * p.y_w);
    for (uint32_t column = 0; column < p.columns; column += kChannels, y += kChannels) {
      const uint32_t count = p.columns - column < kChannels ? p.columns - column : kChannels;
      int32_t sums[kChannels];
      if (sharers == 1) {
        channels.first = column;
        add_columns<false>(window, column, channels, count, sums);
      } else {
        add_columns<true>(window, column, Channels(sharers, column), count, sums);
      }
      if (results.sums != Int16Sums::kWide) {
        finish_int16(results, column, count, sums, kChannels, 1, y, 1, 0);
        continue;
      }
      for (uint32_t j = 0; j < count; ++j) {
        const int64_t sum = results.bias_of(column + j) + sums[j];
        y[j] = static_cast<int16_t>(results.finish(results, sum, column + j));
      }
    }
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
