// Adds the windows of convolutions in which each channel has its own, or small groups of channels
// have: neighbouring channels in a vector, neighbouring places in registers, so that a tap's
// weights are loaded once for all of these. Compiled for each instruction set like float_tiles.h.
//
// A vector has some whole groups. For each channel of a group a permutation of what was loaded
// brings that channel to all lanes of its group; the weights are those of these lanes. Where some
// neighboring columns read the same channel, one permutation brings each channel to those of a
// vector.
//
// Channels that fill no vector are computed by one that begins earlier: it stores the same bits
// once more for the others; one by one where a residual may lie in their place. Windows of three
// and five taps share what they read (float_columns.h); of others, places whose window leaves x on
// a side are computed one by one.
#pragma once

#include "portable_fallback/fast/float_columns.h"
#include "portable_fallback/fast/float_ends.h"
#include "portable_fallback/fast/float_places.h"

namespace arenite {
namespace {

constexpr uint32_t kPlaces = kLanes == 16 ? 8 : 4;
// Vectors of channels beside some places: enough sums that no product waits for the one before.
constexpr uint32_t channel_vectors(uint32_t places) {
  if (places == 1) return 4;
  return kLanes == 16 && places > 2 ? 1 : 2;
}

// The same taps of some places, x_place and y_place elements apart.
struct Windows {
  uint32_t channels;  // of a group
  // The permutations that bring each channel to the lanes of its group: the same for all vectors,
  // or one for each vector where columns read one channel each.
  const Words* to_groups;
  uint32_t permutations;  // between those of neighboring vectors
  size_t x_vectors[4];    // elements from x to what each vector reads
  const float* x;
  size_t x_h, x_w, x_place;  // between taps, and between places
  const float* w;
  size_t w_h, w_w, w_c;
  uint32_t h, w_taps;
  const float* bias;
  const float* residual;  // null, or of the first place; y_place lies between places
  float* y;
  size_t y_place;
  const FloatProducts* end;  // says what the sums are stored as
};

template <uint32_t kCount, uint32_t kVectors, bool kGrouped>
[[gnu::noinline]] void add_windows(const Windows& windows) {
  Vector sums[kCount][kVectors];
#pragma GCC unroll 16
  for (uint32_t v = 0; v < kVectors; ++v) {
    const Vector start = windows.bias != nullptr ? load(windows.bias + v * kLanes) : Vector{};
#pragma GCC unroll 16
    for (uint32_t i = 0; i < kCount; ++i) sums[i][v] = start;
  }
  if (windows.residual != nullptr) {
#pragma GCC unroll 16
    for (uint32_t i = 0; i < kCount; ++i) {
#pragma GCC unroll 16
      for (uint32_t v = 0; v < kVectors; ++v) {
        sums[i][v] += load(windows.residual + i * windows.y_place + v * kLanes);
      }
    }
  }
  const size_t x_place = windows.x_place;
  for (uint32_t h = 0; h < windows.h; ++h) {
    const float* x = windows.x + h * windows.x_h;
    const float* w = windows.w + h * windows.w_h;
    for (uint32_t t = windows.w_taps; t != 0; --t, x += windows.x_w, w += windows.w_w) {
      const auto add_channel = [&](const float* w_of, const auto& read)
          __attribute__((always_inline)) {
#pragma GCC unroll 16
        for (uint32_t v = 0; v < kVectors; ++v) {
          const Vector weights = load(w_of + v * kLanes);
#pragma GCC unroll 16
          for (uint32_t i = 0; i < kCount; ++i) {
            sums[i][v] += read(x + i * x_place, v) * weights;
          }
        }
      };
      if constexpr (kGrouped) {
        for (uint32_t c = 0; c < windows.channels; ++c) {
          const Words* to_group = windows.to_groups + c;
          add_channel(
              w + c * windows.w_c, [&](const float* from, uint32_t v)
                                       __attribute__((always_inline)) {
                                         return permuted(load(from + windows.x_vectors[v]),
                                                         to_group[v * windows.permutations]);
                                       });
        }
      } else {
        add_channel(
            w, [](const float* from, uint32_t v)
                   __attribute__((always_inline)) { return load(from + v * kLanes); });
      }
    }
  }
  const FloatProducts& end = *windows.end;
  const bool clips = end.end == FloatEnd::kClip;
  const float low = end.a, high = end.b;
#pragma GCC unroll 16
  for (uint32_t i = 0; i < kCount; ++i) {
#pragma GCC unroll 16
    for (uint32_t v = 0; v < kVectors; ++v) {
      const Vector sum = sums[i][v];
      store(windows.y + i * windows.y_place + v * kLanes, clips ? clipped(sum, low, high) : sum);
    }
  }
  if (ends_after_store(end.end)) {
    end_rows(end, kCount, kVectors, false, PlaceSums{windows.y, windows.y_place});
  }
}

// One channel of one place.
void add_window(const Windows& windows) {
  float sum = windows.bias != nullptr ? *windows.bias : 0.0f;
  if (windows.residual != nullptr) sum += *windows.residual;
  for (uint32_t h = 0; h < windows.h; ++h) {
    for (uint32_t t = 0; t < windows.w_taps; ++t) {
      sum += windows.x[h * windows.x_h + t * windows.x_w] *
             windows.w[h * windows.w_h + t * windows.w_w];
    }
  }
  const FloatProducts& end = *windows.end;
  float sums[kLanes] = {sum};
  if (end.end == FloatEnd::kClip) store(sums, clipped(load(sums), end.a, end.b));
  if (ends_after_store(end.end)) end_rows(end, 1, 1, false, PlaceSums{sums, 0});
  *windows.y = sums[0];
}

// The taps [begin, end) of a window at `start` that lie inside of `size`.
struct InnerTaps {
  uint32_t begin, end;
};
inline InnerTaps inner_taps(int32_t start, uint32_t taps, uint32_t dilation, uint32_t size) {
  InnerTaps inner = {0, 0};
  for (uint32_t t = 0; t < taps; ++t) {
    const auto at = static_cast<uint32_t>(start + static_cast<int32_t>(t * dilation));
    if (at >= size) continue;
    if (inner.end == 0) inner.begin = t;
    inner.end = t + 1;
  }
  return inner;
}

// Lines of windows of one channel; if kGrouped, of groups of p.channels, or of channels that
// p.columns_of_channel columns each read.
template <bool kGrouped>
class WindowLines {
 public:
  explicit WindowLines(const FloatProducts& p) : p_(p) {
    if constexpr (kGrouped) {
      for (uint32_t c = 0; c < p.channels && !shares_channels(); ++c) {
        Words lanes = {};
        for (uint32_t i = 0; i < kLanes; ++i) lanes[i] = i / p.channels * p.channels + c;
        to_groups_[c] = permutation(lanes);
      }
    }
  }

  // A whole line of places, all channels.
  void add_line(uint32_t line) {
    const int32_t top = start(line, p_.stride_h, p_.pad_h);
    rows_ = inner_taps(top, p_.kernel_h, p_.dilation_h, p_.in_h);
    if (rows_.begin != rows_.end) {
      const int32_t row = top + static_cast<int32_t>(rows_.begin * p_.dilation_h);
      x_ = p_.x + static_cast<size_t>(row) * p_.x_h;
    }
    y_ = p_.y + line * p_.y_h;
    if (has_columns()) {
      const auto is = [&](uint32_t taps, uint32_t stride) {
        return p_.kernel_w == taps && p_.stride_w == stride;
      };
      if (is(3, 1)) return add_columns_of_line<3, 1>();
      if (is(3, 2)) return add_columns_of_line<3, 2>();
      if (is(5, 1)) return add_columns_of_line<5, 1>();
      if (is(5, 2)) return add_columns_of_line<5, 2>();
    }
    // The places that have all taps of a line.
    const Inner whole =
        inner_of(p_.in_w, p_.kernel_w, p_.dilation_w, p_.stride_w, p_.pad_w, p_.out_w);
    for (uint32_t at = 0; at < p_.out_w;) {
      const uint32_t inside = at >= whole.first && at < whole.end ? whole.end - at : 0;
      if (inside >= kPlaces) {
        add_places<kPlaces>(at, true);
        at += kPlaces;
      } else if (inside >= 4) {
        add_places<4>(at, true);
        at += 4;
      } else if (inside >= 2) {
        add_places<2>(at, true);
        at += 2;
      } else {
        add_places<1>(at, false);
        at += 1;
      }
    }
  }

 private:
  // Whether columns read one channel each, of which some read the same.
  bool shares_channels() const { return kGrouped && p_.columns_of_channel != 0; }

  // The channel from which the vector at a column reads; to_lanes brings those of its columns to
  // their lanes. A vector of channels begins there.
  uint32_t shared_channels(uint32_t column, Words& to_lanes) const {
    const uint32_t columns = p_.columns_of_channel;
    const uint32_t channel = column / columns;
    const uint32_t last = p_.columns / columns - kLanes;
    const uint32_t first = channel < last ? channel : last;
    Words lanes = {};
    Words numbers = {};
    for (uint32_t i = 0; i < kLanes; ++i) numbers[i] = i;
    lanes += channel - first;
    for (uint32_t next = (channel + 1) * columns - column; next < kLanes; next += columns) {
      lanes += numbers >= next ? Words{} + 1 : Words{};
    }
    to_lanes = permutation(lanes);
    return first;
  }

  static int32_t start(uint32_t output, uint32_t stride, uint32_t pad) {
    return static_cast<int32_t>(output * stride) - static_cast<int32_t>(pad);
  }

  // Whether taps lie side by side, and each window begins less than a window before x, and ends
  // less than one behind it.
  bool has_columns() const {
    const int32_t last = start(p_.out_w - 1, p_.stride_w, p_.pad_w);
    // Channels that are computed twice would get a residual twice that lies in their place.
    const bool whole = p_.columns % kLanes == 0 || p_.residual == nullptr;
    return p_.dilation_w == 1 && p_.columns >= kLanes && whole && p_.pad_w < p_.kernel_w &&
           last < static_cast<int32_t>(p_.in_w);
  }

  template <uint32_t kTaps, uint32_t kStride>
  void add_columns_of_line() {
    for (uint32_t at = 0; at < p_.out_w;) {
      const uint32_t left = p_.out_w - at;
      // Sevens where they leave nothing over, as of lines of 14.
      if (left % 7 == 0 && left % 8 != 0) {
        at = add_columns_at<7, kTaps, kStride>(at);
      } else if (left >= 8) {
        at = add_columns_at<8, kTaps, kStride>(at);
      } else if (left >= 4) {
        at = add_columns_at<4, kTaps, kStride>(at);
      } else if (left >= 2) {
        at = add_columns_at<2, kTaps, kStride>(at);
      } else {
        at = add_columns_at<1, kTaps, kStride>(at);
      }
    }
  }

  // All channels of places from `at` on; returns the place behind them.
  template <uint32_t kCount, uint32_t kTaps, uint32_t kStride>
  uint32_t add_columns_at(uint32_t at) {
    const int32_t left = start(at, p_.stride_w, p_.pad_w);
    const InnerTaps inside = inner_taps(left, columns_below(kCount, kTaps, kStride), 1, p_.in_w);
    const float* x = p_.x;
    Columns columns;
    columns.lines = inside.begin == inside.end ? 0 : rows_.end - rows_.begin;
    if (columns.lines != 0) {
      x = x_ + static_cast<size_t>(left + static_cast<int32_t>(inside.begin)) * p_.x_w;
    }
    columns.x_h = p_.dilation_h * p_.x_h;
    columns.x_w = p_.x_w;
    columns.first = inside.begin;
    columns.end = inside.end;
    columns.channels = p_.channels;
    columns.to_groups = to_groups_;
    columns.w_c = p_.w_k;
    columns.w_w = p_.channels * p_.w_k;
    columns.w_h = kTaps * columns.w_w;
    columns.y_place = p_.y_w;
    columns.residual = nullptr;
    columns.sums = &p_;
    const float* w = static_cast<const float*>(p_.w) + rows_.begin * columns.w_h;
    const uint32_t last = p_.columns - kLanes;
    for (uint32_t c = 0; c < p_.columns; c += kLanes) {
      const uint32_t channel = c < last ? c : last;
      columns.x = x + (shares_channels() ? shared_channels(channel, to_groups_[0]) : channel);
      columns.w = w + channel;
      columns.bias = p_.bias == nullptr ? nullptr : p_.bias + channel;
      columns.y = y_ + at * p_.y_w + channel;
      if (p_.residual != nullptr) columns.residual = p_.residual + (columns.y - p_.y);
      add_columns<kCount, kTaps, kStride, kGrouped>(columns);
    }
    return at + kCount;
  }

  // `whole`: they have all taps of a line.
  template <uint32_t kCount>
  void add_places(uint32_t at, bool whole) {
    const int32_t left = start(at, p_.stride_w, p_.pad_w);
    const InnerTaps taps =
        whole ? InnerTaps{0, p_.kernel_w} : inner_taps(left, p_.kernel_w, p_.dilation_w, p_.in_w);
    Windows windows;
    windows.h = taps.begin == taps.end ? 0 : rows_.end - rows_.begin;
    windows.w_taps = taps.end - taps.begin;
    // No pointer is made to a window that lies outside of x.
    const float* x = p_.x;
    if (windows.h != 0) {
      x = x_ +
          static_cast<size_t>(left + static_cast<int32_t>(taps.begin * p_.dilation_w)) * p_.x_w;
    }
    windows.x_h = p_.dilation_h * p_.x_h;
    windows.x_w = p_.dilation_w * p_.x_w;
    windows.x_place = p_.stride_w * p_.x_w;
    windows.channels = p_.channels;
    windows.to_groups = to_groups_;
    windows.w_c = p_.w_k;
    windows.w_w = p_.channels * p_.w_k;
    windows.w_h = p_.kernel_w * windows.w_w;
    const float* w =
        static_cast<const float*>(p_.w) + rows_.begin * windows.w_h + taps.begin * windows.w_w;
    windows.y_place = p_.y_w;
    windows.residual = nullptr;
    windows.end = &p_;
    windows.permutations = shares_channels() ? 1 : 0;
    for (uint32_t v = 0; v < 4; ++v) windows.x_vectors[v] = v * kLanes;
    // To some vectors of channels.
    const auto move_to = [&](uint32_t channel, uint32_t vectors) {
      windows.x = x + channel;
      if (shares_channels()) {
        windows.x = x;
        for (uint32_t v = 0; v < vectors; ++v) {
          windows.x_vectors[v] = shared_channels(channel + v * kLanes, to_groups_[v]);
        }
      }
      windows.w = w + channel;
      windows.bias = p_.bias == nullptr ? nullptr : p_.bias + channel;
      windows.y = y_ + at * p_.y_w + channel;
      if (p_.residual != nullptr) windows.residual = p_.residual + (windows.y - p_.y);
    };
    constexpr uint32_t kVectors = channel_vectors(kCount);
    constexpr uint32_t kWide = kVectors * kLanes;
    uint32_t channel = 0;
    for (; p_.columns - channel >= kWide; channel += kWide) {
      move_to(channel, kVectors);
      add_windows<kCount, kVectors, kGrouped>(windows);
    }
    while (channel < p_.columns && p_.columns >= kLanes) {
      const uint32_t last = p_.columns - kLanes;
      // Channels that are computed twice would get a residual twice that lies in their place.
      if (channel > last && p_.residual != nullptr) break;
      move_to(channel < last ? channel : last, 1);
      add_windows<kCount, 1, kGrouped>(windows);
      channel += kLanes;
    }
    for (; channel < p_.columns && (!kGrouped || shares_channels()); ++channel) {
      move_to(channel, 0);
      if (shares_channels()) windows.x = x + channel / p_.columns_of_channel;
      for (uint32_t i = 0; i < kCount; ++i) {
        add_window(windows);
        windows.x += windows.x_place;
        windows.y += windows.y_place;
        if (p_.residual != nullptr) windows.residual += windows.y_place;
      }
    }
  }

  const FloatProducts& p_;
  Words to_groups_[kGrouped ? kLanes : 1];
  InnerTaps rows_ = {0, 0};
  const float* x_ = nullptr;  // of the first row of taps inside of x
  float* y_ = nullptr;
};

template <bool kGrouped>
void add_lines(const FloatProducts& p, const FloatRange& range) {
  WindowLines<kGrouped> lines(p);
  for (uint32_t row = range.row; row < range.row_end; row += p.out_w) {
    lines.add_line(row / p.out_w);
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
