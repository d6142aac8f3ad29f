// Describes to kernels of dot products what they share beside the products: biases, lines of
// depthwise windows, memory.
//
// A row is the window of a place: its numbers by k, with room for whole vectors of kDotChunk
// numbers of 16 bits, or of half of them. Weights are rows too, one behind the other.
#pragma once

#include "portable_fallback/fast/integer_products.h"

namespace arenite {

inline constexpr uint32_t kDotPlaces = 4;  // whose rows are made at once
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

// A depthwise convolution of neighboring channels, each with one output.
struct DotDepthwise {
  // `channels` is not used, and `rows` are depthwise_dot_words() of memory.
  IntegerProducts products;
  size_t w_h, w_w;  // elements between taps; channels are neighbors
};
inline constexpr uint32_t kDotLanes = 16;  // channels of a line that are computed at once
// Words of the memory: results of a line, and weights of pairs of taps, numbers of 16 bits.
constexpr uint32_t depthwise_dot_words(uint32_t places, uint32_t taps) {
  return places * (kDotLanes / 4) + (taps + 1) / 2 * kDotLanes;
}

// One kind of CPU's.
struct IntegerDots {
  // Places [place, end) of a line: reads all that so many as are computed at once need of x, then
  // writes them.
  void (*add)(const IntegerProducts& products, uint32_t line, uint32_t place, uint32_t end);
  // A line: of each kDotLanes channels reads all of x, then writes their results.
  void (*add_depthwise)(const DotDepthwise& depthwise, uint32_t line);
  // Makes the biases that `add` wants, one for each column; null where these are the step's own.
  void (*fold)(const IntegerProducts& products, int32_t* biases);
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
