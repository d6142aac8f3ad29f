// Products of rows and columns one after the other, and of sixteen depthwise channels side by side.
#include "portable_fallback/fast/integer_dots_base_kernel.h"

#include "portable_fallback/fast/depthwise_channels.h"
#include "portable_fallback/fast/window_rows.h"

namespace arenite {
namespace {

// As the reference, which wraps: no sum of a step whose contract holds does.
inline int32_t dot(const int16_t* x, const int8_t* w, uint32_t depth) {
  int32_t sum = 0;
  for (uint32_t k = 0; k < depth; ++k) sum += x[k] * int16_t{w[k]};
  return sum;
}

struct Tiles {
  using Row = WideRow;

  static void prepare(uint32_t, int16_t*) {}

  template <uint32_t kPlaces>
  static void add(const int16_t* rows, const int8_t* w, uint32_t depth, uint32_t columns,
                  SumsOfColumns* sums) {
    const uint32_t row = dot_row(depth);
    for (uint32_t j = 0; j < columns; ++j, w += depth) {
      for (uint32_t i = 0; i < kPlaces; ++i) {
        sums[i][j] = dot(rows + size_t{i} * row, w, depth);
      }
    }
  }

  static void finish(const IntegerProducts& p, const SumsOfPlaces& from, Dst<int8_t> y) {
    finish_each(p, from, y);
  }
};

// Brings numbers of channels to the columns that read them.
inline void spread(const DepthwiseChannels& channels, int16_t* x) {
  // No column lies before its channel.
  for (uint32_t c = kDotLanes; c-- != 0;) x[c] = x[channels.behind[c]];
}

// Adds the products of sixteen columns of one tap.
inline void add_tap(const int16_t* x, const int16_t* w, int32_t* sums) {
  for (uint32_t c = 0; c < kDotLanes; ++c) sums[c] += x[c] * w[c];
}

}  // namespace

void integer_dots_base(const IntegerProducts& products, uint32_t line, uint32_t place,
                       uint32_t end) {
  add_dots<Tiles>(products, line, place, end);
}

void integer_depthwise_base(const DotDepthwise& d, uint32_t line) {
  const IntegerProducts& p = d.products;
  const uint32_t taps = p.kernel_h * p.kernel_w;
  auto* weights = static_cast<int16_t*>(static_cast<void*>(p.rows));
  auto* results =
      static_cast<int8_t*>(static_cast<void*>(weights + (taps + 1) / 2 * 2 * kDotLanes));
  const WideRow row(p);
  for (uint32_t column = 0; column < p.columns; column += kDotLanes) {
    const uint32_t left = p.columns - column;
    const uint32_t count = left < kDotLanes ? left : kDotLanes;
    const DepthwiseChannels channels(d.columns_of_channel, column, count);
    for (uint32_t t = 0; t < taps; ++t) {
      const int8_t* from = weights_of(p) + t / p.kernel_w * d.w_h + t % p.kernel_w * d.w_w + column;
      for (uint32_t c = 0; c < kDotLanes; ++c) {
        const int32_t w = c < count ? from[c] - p.w_zero_point : 0;
        weights[t * kDotLanes + c] = static_cast<int16_t>(w);
      }
    }
    for (uint32_t place = 0; place < p.out_w; ++place) {
      int32_t sums[kDotLanes] = {};
      const int16_t* w = weights;
      uint32_t ih = line * p.stride_h - p.pad_h;
      for (uint32_t h = 0; h < p.kernel_h; ++h, ih += p.dilation_h) {
        uint32_t iw = place * p.stride_w - p.pad_w;
        for (uint32_t k = 0; k < p.kernel_w; ++k, iw += p.dilation_w, w += kDotLanes) {
          int16_t x[kDotLanes] = {};
          if (ih >= p.in_h || iw >= p.in_w) {
            for (int16_t& number : x) number = static_cast<int16_t>(p.outside);
          } else {
            copy_run(row, p.x + (ih * p.x_h + iw * p.x_w + channels.first), 1, channels.count, x);
            if (d.columns_of_channel != 1) spread(channels, x);
          }
          add_tap(x, w, sums);
        }
      }
      for (uint32_t c = 0; c < count; ++c) {
        results[place * kDotLanes + c] = result_of(p.results, column + c, sums[c]);
      }
    }
    for (uint32_t place = 0; place < p.out_w; ++place) {
      put(p.y + (line * p.y_h + place * p.y_w + column),
          static_cast<const int8_t*>(results + place * kDotLanes), count);
    }
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
