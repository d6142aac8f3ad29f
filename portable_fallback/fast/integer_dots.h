// Describes to kernels of dot products what they share beside the products: biases, lines of
// depthwise windows, memory.
//
// A row is the window of a place: its numbers by k, with room for whole vectors of kDotChunk
// numbers of 16 bits, or of half of them. Weights are rows too, one behind the other, of which a
// kernel may make panels first.
#pragma once

#include "portable_fallback/fast/integer_products.h"

namespace arenite {

inline constexpr uint32_t kDotPlaces = 8;  // whose rows are made at once
inline constexpr uint32_t kDotChunk = 64;

constexpr uint32_t dot_row(uint32_t depth) {
  if (depth <= kDotChunk / 2) return kDotChunk / 2;
  return (depth + kDotChunk - 1) / kDotChunk * kDotChunk;
}
constexpr uint32_t dot_places_at_once(uint32_t places) {
  return places < kDotPlaces ? places : kDotPlaces;
}
// Words of the rows that a thread makes at once.
constexpr uint32_t dot_row_words(uint32_t places, uint32_t depth) {
  return dot_places_at_once(places) * dot_row(depth) / 2;
}

// A panel: the weights of 16 columns, by fours of k, [fours][column][4]; zeros behind the last of
// either.
inline constexpr uint32_t kPanelColumns = 16;
constexpr uint32_t panel_fours(uint32_t depth) { return (depth + 3) / 4; }
constexpr uint32_t panel_words(uint32_t depth) { return panel_fours(depth) * kPanelColumns; }
// Of all columns, and their biases.
constexpr uint64_t panels_words(uint32_t columns, uint32_t depth) {
  const uint64_t panels = (columns + kPanelColumns - 1) / kPanelColumns;
  return panels * (panel_words(depth) + kPanelColumns);
}
// Whether so many places are worth making panels in each run, which stay in a cache while all
// places are computed.
constexpr bool are_worth_panels(uint64_t places, uint32_t columns, uint32_t depth) {
  constexpr uint64_t kPlacesLeast = 16, kWordsMost = 1 << 16;
  return places >= kPlacesLeast && panels_words(columns, depth) <= kWordsMost;
}

// How one kind of CPU multiplies.
struct IntegerDots {
  // Places [place, end) of a line: reads all that so many as are computed at once need of x, then
  // writes them.
  void (*add)(const IntegerProducts& products, uint32_t line, uint32_t place, uint32_t end);
  // Makes the biases that `add` wants, one for each column; null where these are the step's own.
  void (*fold)(const IntegerProducts& products, int32_t* biases);
  // Does as `add` with weights that are panels, and biases that `pack` made of these; null where
  // rows do as well.
  void (*add_panels)(const IntegerProducts& products, uint32_t line, uint32_t place, uint32_t end);
  // Makes panels and biases, of all columns of the panels.
  void (*pack)(const IntegerProducts& products, uint32_t* panels, int32_t* biases);
};

// A depthwise convolution of neighboring channels.
struct DotDepthwise {
  // `channels` is not used, and `rows` are depthwise_dot_words() of memory.
  IntegerProducts products;
  size_t w_h, w_w;  // elements between taps; columns are neighbors
  uint32_t columns_of_channel;
  // What DepthwiseDots::pack made.
  const uint32_t* packed;
};
inline constexpr uint32_t kDotLanes = 16;  // columns of a line that are computed at once
// That a kernel may compute at once before it writes results.
inline constexpr uint32_t kDotLanesMost = 64;

// Fours of taps, one below the other: a column of the window is some of them.
constexpr uint32_t column_fours(uint32_t kernel_h) { return (kernel_h + 3) / 4; }
// Places of a line whose columns are made at once, and the words of these columns.
inline constexpr uint32_t kColumnPlaces = 16;
constexpr uint32_t columns_words(uint32_t places, uint32_t kernel_h, uint32_t kernel_w,
                                 uint32_t stride_w) {
  const uint32_t at_once = places < kColumnPlaces ? places : kColumnPlaces;
  return ((at_once - 1) * stride_w + kernel_w) * column_fours(kernel_h) * kDotLanesMost;
}
// Words of the memory of a thread: results of a line, and either weights of pairs of taps, numbers
// of 16 bits, or columns.
constexpr uint32_t depthwise_dot_words(uint32_t places, uint32_t kernel_h, uint32_t kernel_w,
                                       uint32_t stride_w) {
  const uint32_t pairs = (kernel_h * kernel_w + 1) / 2 * kDotLanes;
  const uint32_t columns = columns_words(places, kernel_h, kernel_w, stride_w);
  return places * (kDotLanesMost / 4) + (pairs < columns ? columns : pairs);
}
// Words of weights as columns, [channels/16][kernel_w][fours][16][4], and biases of all.
constexpr uint32_t depthwise_packed_words(uint32_t channels, uint32_t kernel_h, uint32_t kernel_w) {
  return (channels + kDotLanes - 1) / kDotLanes * kDotLanes *
         (kernel_w * column_fours(kernel_h) + 1);
}

struct DepthwiseDots {
  // A line: of each kDotLanes channels reads all of x, then writes their results.
  void (*add)(const DotDepthwise& depthwise, uint32_t line);
  // Fills depthwise_packed_words() for `add`; null where it needs none.
  void (*pack)(const DotDepthwise& depthwise, uint32_t* packed);
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
