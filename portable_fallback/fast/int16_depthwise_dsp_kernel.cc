// Multiplies four columns of a place tap by tap, where x and w lie: two words of x are two pairs of
// channels, and a word of weights becomes pairs of columns 0 2 and 1 3. Columns that share channels
// in another way than by twos or fours are multiplied two at a time.
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

// Adds the products of columns [column, column + 4), which read channels of these numbers.
[[gnu::noinline]] void add_four(const InsideTaps& window, size_t column, int32_t (&sums)[4]) {
  int32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3];
  Src<int16_t> line = window.x + column;
  const std::byte* w_line = window.w + column;
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

// Adds the products of four columns: the first two read `channel`, the others that or the next.
[[gnu::noinline]] void add_sharing_four(const InsideTaps& window, size_t column, size_t channel,
                                        size_t to_second, int32_t (&sums)[4]) {
  int32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3];
  Src<int16_t> line = window.x + channel;
  const std::byte* w_line = window.w + column;
  const size_t x_tap = window.x_tap, w_tap = window.w_tap;
  for (uint32_t h = window.lines; h != 0; --h, line += window.x_line, w_line += window.w_line) {
    Src<int16_t> x = line;
    const std::byte* w = w_line;
    for (uint32_t left = window.taps; left != 0; --left, x += x_tap, w += w_tap) {
      const uint32_t word = dsp::load_word(w);
      const uint32_t even = dsp::even_bytes(word), odd = dsp::odd_bytes(word);
      const auto first = static_cast<uint32_t>(x[0]), second = static_cast<uint32_t>(x[to_second]);
      dsp::add_lower_product(first, even, s0);
      dsp::add_lower_product(first, odd, s1);
      dsp::add_upper_lower_product(even, second, s2);
      dsp::add_upper_lower_product(odd, second, s3);
    }
  }
  sums[0] = s0, sums[1] = s1, sums[2] = s2, sums[3] = s3;
}

// Adds the products of a column, and of another one that lies so far behind it, as does its
// channel: 0 where there is no other.
[[gnu::noinline]] void add_two(const InsideTaps& window, size_t column, size_t channel,
                               size_t w_next, size_t x_next, int32_t& sum, int32_t& next) {
  auto s0 = static_cast<uint32_t>(sum), s1 = static_cast<uint32_t>(next);
  Src<int16_t> line = window.x + channel;
  const auto* w_line = static_cast<const int8_t*>(static_cast<const void*>(window.w)) + column;
  const size_t x_tap = window.x_tap, w_tap = window.w_tap;
  for (uint32_t h = window.lines; h != 0; --h, line += window.x_line, w_line += window.w_line) {
    Src<int16_t> x = line;
    const int8_t* w = w_line;
    for (uint32_t left = window.taps; left != 0; --left, x += x_tap, w += w_tap) {
      s0 += static_cast<uint32_t>(int32_t{x[0]} * w[0]);
      s1 += static_cast<uint32_t>(int32_t{x[x_next]} * w[w_next]);
    }
  }
  sum = static_cast<int32_t>(s0);
  next = static_cast<int32_t>(s1);
}

// Adds the products of columns [column, column + count), at most four.
[[gnu::noinline]] void add_some(const InsideTaps& window, uint32_t sharers, uint32_t column,
                                uint32_t count, int32_t (&sums)[4]) {
  const uint32_t channel = column / sharers;
  const uint32_t before = column - channel * sharers;
  const bool by_twos = sharers == 2 && before == 0;
  if (count == 4 && (by_twos || before + 4 <= sharers)) {
    return add_sharing_four(window, column, channel, by_twos ? 1 : 0, sums);
  }
  for (uint32_t j = 0; j < count; j += 2) {
    const uint32_t w_next = j + 1 < count ? 1 : 0;
    const uint32_t of_first = (before + j) / sharers;
    const uint32_t of_next = (before + j + w_next) / sharers;
    int32_t none = 0;
    add_two(window, column + j, channel + of_first, w_next, of_next - of_first, sums[j],
            w_next != 0 ? sums[j + 1] : none);
  }
}

}  // namespace

void add_int16_depthwise_dsp(const Int16Products& p, uint32_t line) {
  const TapRange lines(line, p.stride_h, p.pad_h, p.dilation_h, p.kernel_h, p.in_h);
  const bool is_small = SmallResults::takes(p.results);
  const Int16Results& results = p.results;
  const uint32_t sharers = p.columns_of_channel;
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
        if (sharers == 1) {
          add_four(window, column, sums);
        } else {
          add_some(window, sharers, column, 4, sums);
        }
#pragma GCC unroll 4
        for (uint32_t j = 0; j < 4; ++j) y[j] = small.result(small.next(), sums[j]);
      }
    }
    for (; column < p.columns; column += 4, y += 4) {
      const uint32_t count = p.columns - column < 4 ? p.columns - column : 4;
      int32_t sums[4] = {};
      for (uint32_t j = 0; j < count; ++j) {
        sums[j] = results.sums == Int16Sums::kWide ? 0 : results.low_bias_of(column + j);
      }
      if (count == 4 && sharers == 1) {
        add_four(window, column, sums);
      } else {
        add_some(window, sharers, column, count, sums);
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
