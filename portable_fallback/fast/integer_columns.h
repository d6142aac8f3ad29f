// Adds the taps of a column of a depthwise window, up to four, of 16 channels at once: what lies
// one below the other in x is made one of four bytes, once for all places whose windows have the
// column. A kernel's file includes the lanes of its machine first (integer_lanes_avx512.h).
//
// Blocks of 16 channels are made together where a machine's vectors hold more than 16 bytes.
//
//   x of channel 0: line 0, 1, 2, 3; channel 1: ...   times   w of the same, 0 below the window
#pragma once

#include "portable_fallback/fast/depthwise_channels.h"
#include "portable_fallback/fast/integer_panels.h"

namespace arenite {
namespace {

constexpr uint32_t kColumnBytes = 4 * kDotLanes;
// A column takes so many bytes when its numbers are as wide as those of x.
constexpr uint32_t kWideBytes = kColumnBytes * sizeof(LaneRow::Number);
constexpr uint32_t kWideGroupBytes = kWideBytes / kGroupsOfFour;
constexpr bool kIsWide = kWideBytes != kColumnBytes;

// Sixteen channels of a line. A machine may have others, of several blocks of sixteen.
struct OneBlock {
  using Numbers = arenite::Numbers;
  static constexpr uint32_t kBlocks = 1;
  static Bytes load(const void* from, uint32_t count) { return load_bytes(from, count); }
  static Bytes joined(const Bytes (&blocks)[1]) { return blocks[0]; }
  static Numbers all(int32_t number) { return same_numbers(number); }
  static Numbers numbers(Bytes bytes, const LaneRow& row) { return numbers_of(bytes, row); }
  static void put(const Numbers (&lines)[4], uint8_t* to) { put_column(lines, to); }
};

// Some blocks of channels of one line of x's places.
template <typename Blocks>
class Line {
 public:
  static constexpr uint32_t kLanes = Blocks::kBlocks * kDotLanes;

  Line(const DotDepthwise& d, uint32_t channel)
      : p_(d.products),
        row_(d.products),
        channel_(channel),
        count_(p_.columns - channel < kLanes ? p_.columns - channel : kLanes),
        fours_(column_fours(p_.kernel_h)),
        columns_(bytes_of(p_.rows) + p_.out_w * size_t{kLanes}),
        is_shared_(d.columns_of_channel != 1),
        first_(channel / d.columns_of_channel) {
    const auto* all = static_cast<const uint8_t*>(static_cast<const void*>(d.packed));
    const size_t block_bytes = p_.kernel_w * fours_ * size_t{kColumnBytes};
    const uint32_t blocks = (p_.columns + kDotLanes - 1) / kDotLanes;
    // Those that are not there have weights of the last.
    for (uint32_t i = 0; i < Blocks::kBlocks; ++i) {
      const uint32_t block = channel / kDotLanes + i;
      weights_[i] = all + (block < blocks ? block : blocks - 1) * block_bytes;
    }
    if constexpr (kIsWide) widen();
    if (is_shared_) share(d.columns_of_channel);
    results_ = p_.results;
    results_.bias =
        static_cast<const int32_t*>(static_cast<const void*>(all + blocks * block_bytes));
    results_.bias_step = 1;
  }

  // Results of all places, kLanes apart.
  void run(uint32_t line, int8_t* to) const {
    const uint32_t top = line * p_.stride_h - p_.pad_h;
    const bool done = with_way(results_, [&]<Way kWay>() {
      const PanelOutputs<kWay, Blocks::kBlocks> outputs(results_, channel_, count_);
      const FourResults four(results_);
      each_four(top, to, [&](const Sixteen(&sums)[4], uint32_t places, int8_t* at) {
        const FourBytes results = outputs.of_four(four, sums);
        if (places == kPlaces) {
          store_halves(at, results);
        } else {
          std::memcpy(at, bytes_of(results), places * size_t{kLanes});
        }
      });
    });
    if (done) return;
    each_four(top, to, [&](const Sixteen(&sums)[4], uint32_t places, int8_t* at) {
      int32_t each[4 * kDotLanes];
      for (uint32_t i = 0; i < 4; ++i) store_sums(each + i * kDotLanes, sums[i]);
      for (uint32_t i = 0; i < places; ++i, at += kLanes) {
        for (uint32_t c = 0; c < count_; ++c) {
          at[c] = result_of(results_, channel_ + c, each[i * kLanes + c]);
        }
      }
    });
  }

  // Puts the results of all places.
  void put_results(const int8_t* from, Dst<int8_t> y) const {
    for (uint32_t place = 0; place < p_.out_w; ++place, from += kLanes, y += p_.y_w) {
      if (count_ == kLanes) {
        put(y, from, kLanes);
        continue;
      }
      uint32_t done = 0;
      for (; done + kDotLanes <= count_; done += kDotLanes) put(y + done, from + done, kDotLanes);
      if (done != count_) put(y + done, from + done, count_ - done);
    }
  }

  uint32_t count() const { return count_; }

 private:
  using Numbers = typename Blocks::Numbers;
  // Whose sums are four vectors.
  static constexpr uint32_t kPlaces = 4 / Blocks::kBlocks;
  static constexpr uint32_t kBytes = kWideBytes * Blocks::kBlocks;

  // Calls put(sums, places, to) with four vectors of sums: of kPlaces, or of those that are left.
  template <typename Put>
  void each_four(uint32_t top, int8_t* to, const Put& put) const {
    for (uint32_t place = 0; place < p_.out_w; place += kColumnPlaces) {
      const uint32_t left = p_.out_w - place;
      const uint32_t places = left < kColumnPlaces ? left : kColumnPlaces;
      make_columns(top, place, places);
      if (!kIsWide && p_.w_zero_point != 0) {
        sum<true>(places, to, put);
      } else {
        sum<false>(places, to, put);
      }
      to += places * kLanes;
    }
  }

  // What a tap's numbers are: a channel for each column, of all columns or only of count(), or
  // channels of several columns each.
  enum class Channels : uint8_t { kAll, kSome, kShared };

  // Makes weights as wide as the numbers, less their zero point. They lie behind the columns.
  void widen() {
    using Number = LaneRow::Number;
    const uint32_t numbers = p_.kernel_w * fours_ * kColumnBytes;
    const uint32_t places = p_.out_w < kColumnPlaces ? p_.out_w : kColumnPlaces;
    uint8_t* const columns_end =
        columns_ + ((places - 1) * p_.stride_w + p_.kernel_w) * size_t{fours_} * kBytes;
    auto* to = static_cast<Number*>(static_cast<void*>(columns_end));
    for (const uint8_t*& weights : weights_) {
      const auto* from = static_cast<const int8_t*>(static_cast<const void*>(weights));
      weights = static_cast<const uint8_t*>(static_cast<const void*>(to));
      for (uint32_t i = 0; i < numbers; ++i) {
        *to++ = static_cast<Number>(from[i] - p_.w_zero_point);
      }
    }
  }

  // The channels of some columns that share them.
  struct Shared {
    uint32_t behind, count;  // the first of them behind that of all columns
    Bytes at;                // each column's
  };

  void share(uint32_t columns_of_channel) {
    for (uint32_t i = 0; i < Blocks::kBlocks; ++i) {
      const uint32_t before = i * kDotLanes;
      const uint32_t column = channel_ + before;
      const DepthwiseChannels of(columns_of_channel, column, before < count_ ? count_ - before : 0);
      shared_[i] = {of.count == 0 ? 0 : of.first - first_, of.count, load_bytes(of.behind)};
    }
  }

  // Calls load(where, count). A load by a mask is no access to the copy that is watched
  // (docs/decisions/0029-watched-forms.md).
  template <typename Load>
  static auto read(Src<std::byte> from, uint32_t count, const Load& load) {
#ifdef __SANITIZE_THREAD__
    std::byte seen[kLanes];
    std::memcpy(seen, from, count);
    from = seen;
#endif
    return load(from, count);
  }

  // kLanes numbers of x.
  template <Channels kChannels>
  Numbers numbers(const LaneRow& row, Src<std::byte> x) const {
    if constexpr (kChannels == Channels::kShared) {
      Bytes blocks[Blocks::kBlocks];
      for (uint32_t i = 0; i < Blocks::kBlocks; ++i) {
        const Shared& shared = shared_[i];
        const auto load = [](const void* from, uint32_t some) { return load_bytes(from, some); };
        blocks[i] = chosen(read(x + shared.behind, shared.count, load), shared.at);
      }
      return Blocks::numbers(Blocks::joined(blocks), row);
    } else {
      const uint32_t count = kChannels == Channels::kAll ? kLanes : count_;
      return Blocks::numbers(read(x, count, Blocks::load), row);
    }
  }

  void make_columns(uint32_t top, uint32_t place, uint32_t places) const {
    for (uint32_t h = 0; h < p_.kernel_h; h += 4) {
      if (is_shared_) {
        make_fours<Channels::kShared>(top, h, place, places);
      } else if (count_ == kLanes) {
        make_fours<Channels::kAll>(top, h, place, places);
      } else {
        make_fours<Channels::kSome>(top, h, place, places);
      }
    }
  }

  // Of taps `h` and those below it.
  template <Channels kChannels>
  void make_fours(uint32_t top, uint32_t h, uint32_t place, uint32_t places) const {
    const size_t x_w = p_.x_w;
    const uint32_t in_w = p_.in_w, step = fours_ * kBytes;
    // This is a copy, which no column can change.
    const LaneRow row = row_;
    const Numbers beside = Blocks::all(row.outside);
    // What is beside x, and taps below the window.
    Numbers fixed[4];
    bool is_fixed[4];
    Src<std::byte> x[4] = {p_.x, p_.x, p_.x, p_.x};
    for (uint32_t i = 0; i < 4; ++i) {
      fixed[i] = h + i < p_.kernel_h ? beside : Blocks::all(0);
      const uint32_t ih = top + (h + i) * p_.dilation_h;
      is_fixed[i] = h + i >= p_.kernel_h || ih >= p_.in_h;
      if (!is_fixed[i]) x[i] += ih * p_.x_h + first_;
    }
    const uint32_t count = (places - 1) * p_.stride_w + p_.kernel_w;
    uint32_t iw = place * p_.stride_w - p_.pad_w;
    uint8_t* to = columns_ + h / 4 * kBytes;
    for (uint32_t at = 0; at < count; ++at, ++iw, to += step) {
      if (iw >= in_w) {
        Blocks::put(fixed, to);
        continue;
      }
      const size_t at_x = iw * x_w;
      const Numbers lines[4] = {is_fixed[0] ? fixed[0] : numbers<kChannels>(row, x[0] + at_x),
                                is_fixed[1] ? fixed[1] : numbers<kChannels>(row, x[1] + at_x),
                                is_fixed[2] ? fixed[2] : numbers<kChannels>(row, x[2] + at_x),
                                is_fixed[3] ? fixed[3] : numbers<kChannels>(row, x[3] + at_x)};
      Blocks::put(lines, to);
    }
  }

  template <bool kLess, typename Put>
  void sum(uint32_t places, int8_t* to, const Put& put) const {
    const uint32_t step = p_.stride_w * fours_ * kBytes;
    const uint8_t* columns = columns_;
    Sixteen sums[4];
    for (; places >= kPlaces; places -= kPlaces, columns += kPlaces * step, to += 64) {
      add_taps<kLess, kPlaces>(columns, step, sums);
      put(sums, kPlaces, to);
    }
    if constexpr (kPlaces != 1) {
      if (places == 0) return;
      for (uint32_t i = 0; i < places; ++i) {
        add_taps<kLess, 1>(columns + i * step, step, sums + i * Blocks::kBlocks);
      }
      for (uint32_t i = places * Blocks::kBlocks; i < 4; ++i) sums[i] = all_of(0);
      put(sums, places, to);
    }
  }

  // The sums of some places, whose columns are `step` bytes apart. kLess: the weights have a zero
  // point, which the sum of x tells.
  template <bool kLess, uint32_t kSome>
  void add_taps(const uint8_t* columns, uint32_t step, Sixteen* to) const {
    constexpr uint32_t kBlocks = Blocks::kBlocks;
    static_assert(kBlocks == 1 || kGroupsOfFour == 1, "groups of a block follow each other");
    const uint32_t bytes = p_.kernel_w * fours_ * kWideBytes;
    Sixteen sums[kSome][kBlocks], of_x[kSome][kBlocks];
#pragma GCC unroll 4
    for (uint32_t i = 0; i < kSome; ++i) {
#pragma GCC unroll 4
      for (uint32_t j = 0; j < kBlocks; ++j) sums[i][j] = of_x[i][j] = all_of(0);
    }
    for (uint32_t at = 0; at < bytes; at += kWideGroupBytes, columns += kBlocks * kWideGroupBytes) {
#pragma GCC unroll 4
      for (uint32_t j = 0; j < kBlocks; ++j) {
        const Groups w = load_wide_groups(weights_[j] + at);
#pragma GCC unroll 4
        for (uint32_t i = 0; i < kSome; ++i) {
          const Groups x = load_wide_groups(columns + i * step + j * kWideGroupBytes);
          sums[i][j] = with_products(sums[i][j], x, w);
          if constexpr (kLess) of_x[i][j] = with_products(of_x[i][j], x, ones());
        }
      }
    }
#pragma GCC unroll 4
    for (uint32_t i = 0; i < kSome; ++i) {
#pragma GCC unroll 4
      for (uint32_t j = 0; j < kBlocks; ++j) {
        const Sixteen all = sums[i][j];
        to[i * kBlocks + j] = kLess ? sum_of(all, times(of_x[i][j], -p_.w_zero_point)) : all;
      }
    }
  }

  const IntegerProducts& p_;
  const LaneRow row_;
  const uint32_t channel_, count_, fours_;
  const uint8_t* weights_[Blocks::kBlocks];
  uint8_t* const columns_;
  const bool is_shared_;
  const uint32_t first_;  // channel
  Shared shared_[Blocks::kBlocks];
  IntegerResults results_;
};

// Not inlined: a caller that has it for one, two and four blocks would add up their stacks.
template <typename Blocks>
[[gnu::noinline]] inline uint32_t add_blocks_of_line(const DotDepthwise& d, uint32_t line,
                                                     uint32_t channel) {
  const IntegerProducts& p = d.products;
  auto* const results = static_cast<int8_t*>(static_cast<void*>(p.rows));
  const Line<Blocks> channels(d, channel);
  channels.run(line, results);
  channels.put_results(results, p.y + (line * p.y_h + channel));
  return channels.count();
}

inline void add_columns_of_line(const DotDepthwise& d, uint32_t line) {
  const uint32_t channels = d.products.columns;
  for (uint32_t channel = 0; channel < channels;) {
    channel += with_blocks(channels - channel, [&]<typename Blocks>() {
      return add_blocks_of_line<Blocks>(d, line, channel);
    });
  }
}

inline void pack_columns(const DotDepthwise& d, uint32_t* packed) {
  const IntegerProducts& p = d.products;
  const uint32_t fours = column_fours(p.kernel_h);
  const uint32_t blocks = (p.columns + kDotLanes - 1) / kDotLanes;
  uint8_t* to = bytes_of(packed);
  auto* biases = static_cast<int32_t*>(
      static_cast<void*>(to + size_t{blocks} * p.kernel_w * fours * kColumnBytes));
  const int32_t of_zero_point = -p.w_zero_point * static_cast<int32_t>(p.kernel_h * p.kernel_w);
  for (uint32_t channel = 0; channel < p.columns; channel += kDotLanes) {
    const uint32_t left = p.columns - channel;
    Sixteen sums = all_of(of_zero_point);
    for (uint32_t w = 0; w < p.kernel_w; ++w) {
      for (uint32_t h = 0; h < p.kernel_h; h += 4) {
        Bytes lines[4];
        for (uint32_t i = 0; i < 4; ++i) {
          const int8_t* from = weights_of(p) + (h + i) * d.w_h + w * d.w_w + channel;
          lines[i] = h + i < p.kernel_h ? load_bytes(from, left) : no_bytes();
        }
        put_column(lines, to);
        for (uint32_t i = 0; i < kGroupsOfFour; ++i, to += kGroupBytes) {
          sums = with_products(sums, ones(), load_groups(to));
        }
      }
    }
    store_sums(biases + channel, moved_biases(p, channel, sums));
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
