// Multiplies four channels of a place tap by tap, where x and w lie: two words of x are two pairs
// of channels, and a word of weights becomes pairs of channels 0 2 and 1 3.
#include "portable_fallback/fast/int16_depthwise_dsp_kernel.h"

#include "portable_fallback/fast/dsp.h"
#include "portable_fallback/fast/int16_finish.h"
#include "portable_fallback/fast/int16_windows.h"

namespace arenite {
namespace {

inline uint32_t load_pair(Src<int16_t> x) {
  uint32_t pair;
  take(static_cast<int16_t*>(static_cast<void*>(&pair)), x, 2);
  return pair;
}

// Adds the products of channels [channel, channel + 4).
[[gnu::noinline]] void add_four(const InsideTaps& window, size_t channel, int32_t (&sums)[4]) {
  int32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3];
  Src<int16_t> line = window.x + channel;
  const std::byte* w_line = window.w + channel;
  const size_t x_tap = window.x_tap, w_tap = window.w_tap;
  for (uint32_t h = window.lines; h != 0; --h, line += window.x_line, w_line += window.w_line) {
    Src<int16_t> x = line;
    const std::byte* w = w_line;
    for (uint32_t left = window.taps; left != 0; --left, x += x_tap, w += w_tap) {
      const uint32_t word = dsp::load_word(w);
      const uint32_t even = dsp::even_bytes(word), odd = dsp::odd_bytes(word);
      const uint32_t first = load_pair(x), second = load_pair(x + 2);
      dsp::add_lower_product(first, even, s0);
      dsp::add_upper_lower_product(first, odd, s1);
      dsp::add_upper_lower_product(even, second, s2);
      dsp::add_upper_product(second, odd, s3);
    }
  }
  sums[0] = s0, sums[1] = s1, sums[2] = s2, sums[3] = s3;
}

// The same of one channel.
[[gnu::noinline]] void add_one(const InsideTaps& window, size_t channel, int32_t& sum) {
  uint32_t total = static_cast<uint32_t>(sum);
  for (uint32_t h = 0; h < window.lines; ++h) {
    Src<int16_t> x = window.x + (channel + h * window.x_line);
    const std::byte* w = window.w + (channel + h * window.w_line);
    for (uint32_t left = window.taps; left != 0; --left, x += window.x_tap, w += window.w_tap) {
      total += static_cast<uint32_t>(int32_t{*x} * static_cast<int8_t>(*w));
    }
  }
  sum = static_cast<int32_t>(total);
}

}  // namespace

void add_int16_depthwise_dsp(const Int16Products& p, uint32_t line) {
  const TapRange lines(line, p.stride_h, p.pad_h, p.dilation_h, p.kernel_h, p.in_h);
  const bool is_small = SmallResults::takes(p.results);
  const Int16Results& results = p.results;
  for (uint32_t place = 0; place < p.out_w; ++place) {
    const InsideTaps window(p, lines, place);
    Dst<int16_t> y = p.y + (line * p.y_h + place * p.y_w);
    uint32_t column = 0;
    if (is_small) {
      const int64_t* bias = p.results.wide_bias;
      const size_t step = p.results.bias_step;
      SmallResults small(p.results, 0);
      for (; column + 4 <= p.columns; column += 4, y += 4, bias += 4 * step) {
        int32_t sums[4];
#pragma GCC unroll 4
        for (uint32_t j = 0; j < 4; ++j) sums[j] = static_cast<int32_t>(bias[j * step]);
        add_four(window, column, sums);
#pragma GCC unroll 4
        for (uint32_t j = 0; j < 4; ++j) y[j] = small.result(small.next(), sums[j]);
      }
    }
    for (; column < p.columns; column += 4, y += 4) {
      const uint32_t count = p.columns - column < 4 ? p.columns - column : 4;
      int32_t sums[4];
      for (uint32_t j = 0; j < count; ++j) {
        sums[j] = results.sums == Int16Sums::kWide ? 0 : results.low_bias_of(column + j);
      }
      if (count == 4) {
        add_four(window, column, sums);
      } else {
        for (uint32_t j = 0; j < count; ++j) add_one(window, column + j, sums[j]);
      }
      if (results.sums != Int16Sums::kWide) {
        finish_any(results, column, count, sums, 1, 0, 1, y, 1, 0);
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
