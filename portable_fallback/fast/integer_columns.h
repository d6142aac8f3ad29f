// Adds the taps of a column of a depthwise window, up to four, of 16 channels at once: what lies
// one below the other in x is made one of four bytes, once for all places whose windows have the
// column. A kernel's file includes the lanes of its machine first (integer_lanes_avx512.h).
//
//   x of channel 0: line 0, 1, 2, 3; channel 1: ...   times   w of the same, 0 below the window
#pragma once

#include "portable_fallback/fast/integer_panels.h"

namespace arenite {
namespace {

constexpr uint32_t kColumnBytes = 4 * kDotLanes;

// Sixteen channels of one line of x's places.
class Line {
 public:
  Line(const DotDepthwise& d, uint32_t channel)
      : p_(d.products),
        row_(d.products),
        channel_(channel),
        count_(p_.columns - channel < kDotLanes ? p_.columns - channel : kDotLanes),
        fours_(column_fours(p_.kernel_h)),
        channel_bytes_(p_.kernel_w * fours_ * kColumnBytes),
        weights_(static_cast<const uint8_t*>(static_cast<const void*>(d.packed)) +
                 channel / kDotLanes * size_t{channel_bytes_}),
        columns_(bytes_of(p_.rows) + p_.out_w * size_t{kDotLanes}) {
    const uint8_t* all = static_cast<const uint8_t*>(static_cast<const void*>(d.packed));
    const uint32_t blocks = (p_.columns + kDotLanes - 1) / kDotLanes;
    const auto* biases = static_cast<const int32_t*>(
        static_cast<const void*>(all + blocks * size_t{channel_bytes_}));
    results_ = p_.results;
    results_.bias = biases;
    results_.bias_step = 1;
  }

  // Results of all places, kDotLanes apart.
  void run(uint32_t line, int8_t* to) const {
    const uint32_t top = line * p_.stride_h - p_.pad_h;
    const bool done = with_way(results_, [&]<Way kWay>() {
      const SixteenOutputs<kWay> outputs(results_, channel_, count_);
      each_sum(top, to, [&](Sixteen sums, int8_t* at) { store_bytes(at, outputs.of(sums)); });
    });
    if (done) return;
    each_sum(top, to, [&](Sixteen sums, int8_t* at) {
      int32_t each[kDotLanes];
      store_sums(each, sums);
      for (uint32_t c = 0; c < count_; ++c) at[c] = result_of(results_, channel_ + c, each[c]);
    });
  }

  uint32_t count() const { return count_; }

 private:
  template <typename Put>
  void each_sum(uint32_t top, int8_t* to, const Put& put) const {
    for (uint32_t place = 0; place < p_.out_w; place += kColumnPlaces) {
      const uint32_t left = p_.out_w - place;
      const uint32_t places = left < kColumnPlaces ? left : kColumnPlaces;
      make_columns(top, place, places);
      if (p_.w_zero_point != 0) {
        sum<true>(places, to, put);
      } else {
        sum<false>(places, to, put);
      }
      to += places * kDotLanes;
    }
  }

  // So many of count() numbers, behind those that more take.
  template <uint32_t kSome>
  void take_some(std::byte* to, Src<std::byte> x) const {
    if ((count_ & kSome) == 0) return;
    const uint32_t done = count_ & ~(2 * kSome - 1);
    take(to + done, x + done, kSome);
  }

  // 16 numbers of x, of which `kAll` are there or only count().
  template <bool kAll>
  Bytes numbers(Src<std::byte> x) const {
    std::byte sixteen[kDotLanes];
    if constexpr (kAll) {
      take(sixteen, x, kDotLanes);
    } else {
      std::memset(sixteen, 0, kDotLanes);
      take_some<8>(sixteen, x);
      take_some<4>(sixteen, x);
      take_some<2>(sixteen, x);
      take_some<1>(sixteen, x);
    }
    return flipped(load_bytes(sixteen), row_.flip);
  }

  void make_columns(uint32_t top, uint32_t place, uint32_t places) const {
    for (uint32_t h = 0; h < p_.kernel_h; h += 4) {
      if (count_ == kDotLanes) {
        make_fours<true>(top, h, place, places);
      } else {
        make_fours<false>(top, h, place, places);
      }
    }
  }

  // Of taps `h` and those below it.
  template <bool kAll>
  void make_fours(uint32_t top, uint32_t h, uint32_t place, uint32_t places) const {
    const size_t x_w = p_.x_w;
    const uint32_t in_w = p_.in_w, step = fours_ * kColumnBytes;
    const Bytes beside = same_bytes(static_cast<uint8_t>(row_.outside));
    // What is beside x, and taps below the window.
    Bytes fixed[4];
    bool is_fixed[4];
    Src<std::byte> x[4] = {p_.x, p_.x, p_.x, p_.x};
    for (uint32_t i = 0; i < 4; ++i) {
      fixed[i] = h + i < p_.kernel_h ? beside : no_bytes();
      const uint32_t ih = top + (h + i) * p_.dilation_h;
      is_fixed[i] = h + i >= p_.kernel_h || ih >= p_.in_h;
      if (!is_fixed[i]) x[i] += ih * p_.x_h + channel_;
    }
    const uint32_t count = (places - 1) * p_.stride_w + p_.kernel_w;
    uint32_t iw = place * p_.stride_w - p_.pad_w;
    uint8_t* to = columns_ + h / 4 * kColumnBytes;
    for (uint32_t at = 0; at < count; ++at, ++iw, to += step) {
      if (iw >= in_w) {
        put_column(fixed, to);
        continue;
      }
      const Bytes lines[4] = {is_fixed[0] ? fixed[0] : numbers<kAll>(x[0] + iw * x_w),
                              is_fixed[1] ? fixed[1] : numbers<kAll>(x[1] + iw * x_w),
                              is_fixed[2] ? fixed[2] : numbers<kAll>(x[2] + iw * x_w),
                              is_fixed[3] ? fixed[3] : numbers<kAll>(x[3] + iw * x_w)};
      put_column(lines, to);
    }
  }

  // kLess: the weights have a zero point, which the sum of x tells.
  template <bool kLess, typename Put>
  void sum(uint32_t places, int8_t* to, const Put& put) const {
    const uint8_t *columns = columns_, *const weights = weights_;
    const uint32_t taps = p_.kernel_w * fours_, step = p_.stride_w * fours_ * kColumnBytes;
    for (uint32_t i = 0; i < places; ++i, columns += step, to += kDotLanes) {
      Sixteen sums = all_of(0), of_x = sums;
      for (uint32_t t = 0; t < taps; ++t) {
        const Fours x = load_fours(columns + t * kColumnBytes);
        sums = with_products(sums, x, load_fours(weights + t * kColumnBytes));
        if constexpr (kLess) of_x = with_products(of_x, x, same_four(0x01010101));
      }
      if constexpr (kLess) {
        sums = sum_of(sums, times(of_x, -p_.w_zero_point));
      }
      put(sums, to);
    }
  }

  const IntegerProducts& p_;
  const LaneRow row_;
  const uint32_t channel_, count_, fours_, channel_bytes_;
  const uint8_t* const weights_;
  uint8_t* const columns_;
  IntegerResults results_;
};

inline void add_columns_of_line(const DotDepthwise& d, uint32_t line) {
  const IntegerProducts& p = d.products;
  auto* const results = static_cast<int8_t*>(static_cast<void*>(p.rows));
  for (uint32_t channel = 0; channel < p.columns; channel += kDotLanes) {
    const Line channels(d, channel);
    channels.run(line, results);
    const int8_t* from = results;
    Dst<int8_t> y = p.y + (line * p.y_h + channel);
    for (uint32_t place = 0; place < p.out_w; ++place, from += kDotLanes, y += p.y_w) {
      if (channels.count() == kDotLanes) {
        put(y, from, kDotLanes);
      } else {
        put(y, from, channels.count());
      }
    }
  }
}

inline void pack_columns(const DotDepthwise& d, uint32_t* packed) {
  const IntegerProducts& p = d.products;
  const uint32_t fours = column_fours(p.kernel_h);
  const uint32_t blocks = (p.columns + kDotLanes - 1) / kDotLanes;
  uint8_t* to = bytes_of(packed);
  auto* biases = static_cast<int32_t*>(
      static_cast<void*>(to + size_t{blocks} * p.kernel_w * fours * kColumnBytes));
  const Fours ones = same_four(0x01010101);
  const int32_t of_zero_point = -p.w_zero_point * static_cast<int32_t>(p.kernel_h * p.kernel_w);
  for (uint32_t channel = 0; channel < p.columns; channel += kDotLanes) {
    const uint32_t left = p.columns - channel;
    Sixteen sums = all_of(of_zero_point);
    for (uint32_t w = 0; w < p.kernel_w; ++w) {
      for (uint32_t h = 0; h < p.kernel_h; h += 4, to += kColumnBytes) {
        Bytes lines[4];
        for (uint32_t i = 0; i < 4; ++i) {
          const int8_t* from = weights_of(p) + (h + i) * d.w_h + w * d.w_w + channel;
          lines[i] = h + i < p.kernel_h ? load_bytes(from, left) : no_bytes();
        }
        put_column(lines, to);
        sums = with_products(sums, ones, load_fours(to));
      }
    }
    store_sums(biases + channel, moved_biases(p, channel, sums));
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
