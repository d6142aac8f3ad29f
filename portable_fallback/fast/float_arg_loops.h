// Searches for the best of some floats, searches side by side in vectors or the elements of one
// search; compiled for each instruction set like float_tiles.h.
#pragma once

#include "portable_fallback/fast/float_arg.h"
#include "portable_fallback/fast/float_vectors.h"

namespace arenite {
namespace {

// The best so far of the elements of each lane. For the least, elements are negated.
template <bool kLast>
struct BestOfLanes {
  Vector best = Vector{} - __builtin_inff();
  Words place = {};

  void look_at(Vector element, Words at) {
    const auto was_number = best == best;    // NOLINT(misc-redundant-expression)
    const auto is_nan = element != element;  // NOLINT(misc-redundant-expression)
    // A comparison with NaN is false, so what is not worse may be a NaN.
    const auto better =
        kLast ? ((~(element < best) & was_number) | is_nan) : (~(element <= best) & was_number);
    best = better ? element : best;
    place = better ? at : place;
  }
};

// One element of each search: in place where they fill the vectors, else copied to `room`.
inline const float* elements_of(const FloatArgRun& run, Src<float> from, float* room) {
  if (run.x_search == 1 && run.searches == kFloatArgs) return from;
  for (uint32_t s = 0; s < run.searches; ++s, from += run.x_search) room[s] = *from;
  return room;
}

template <bool kLast>
void find_side_by_side(const FloatArgRun& run, uint32_t* places) {
  constexpr uint32_t kVectors = kFloatArgs / kLanes;
  const Words sign = Words{} + (run.least ? 0x80000000u : 0);
  float room[kFloatArgs] = {};
  BestOfLanes<kLast> lanes[kVectors];
  Src<float> x = run.x;
  for (uint32_t k = 0; k < run.count; ++k, x += run.x_step) {
    const float* from = elements_of(run, x, room);
#pragma GCC unroll 16
    for (uint32_t v = 0; v < kVectors; ++v) {
      const Words bits = __builtin_bit_cast(Words, load(from + v * kLanes));
      lanes[v].look_at(__builtin_bit_cast(Vector, bits ^ sign), Words{} + k);
    }
  }
  for (uint32_t s = 0; s < run.searches; ++s) places[s] = lanes[s / kLanes].place[s % kLanes];
}

// The place of the best of neighbors, of one vector of them at least. The last vector may have
// elements of the one before it, to which it gives the same places.
template <bool kLast>
uint32_t find_in_neighbors(const FloatArgRun& run, Src<float> x) {
  const Words sign = Words{} + (run.least ? 0x80000000u : 0);
  Words lane = {};
  for (uint32_t i = 0; i < kLanes; ++i) lane[i] = i;
  BestOfLanes<kLast> lanes;
  for (uint32_t k = 0; k < run.count; k += kLanes) {
    const uint32_t at = run.count - k < kLanes ? run.count - kLanes : k;
    const float* from = x + at;
    const Words bits = __builtin_bit_cast(Words, load(from));
    lanes.look_at(__builtin_bit_cast(Vector, bits ^ sign), lane + at);
  }
  float best = lanes.best[0];
  uint32_t place = lanes.place[0];
  for (uint32_t i = 1; i < kLanes; ++i) {
    const float other = lanes.best[i];
    const uint32_t other_place = lanes.place[i];
    const bool both_nan = other != other && best != best;  // NOLINT(misc-redundant-expression)
    const bool equal = other == best || both_nan;
    const bool sooner = kLast ? other_place > place : other_place < place;
    const bool better = other > best || (other != other && !both_nan);
    if (!(equal ? sooner : better)) continue;
    best = other;
    place = other_place;
  }
  return place;
}

template <bool kLast>
void find_best(const FloatArgRun& run, uint32_t* places) {
  if (run.x_step != 1 || run.count < 2 * kLanes) return find_side_by_side<kLast>(run, places);
  Src<float> x = run.x;
  for (uint32_t s = 0; s < run.searches; ++s, x += run.x_search) {
    places[s] = find_in_neighbors<kLast>(run, x);
  }
}

void find_best_floats(const FloatArgRun& run, uint32_t* places) {
  run.last ? find_best<true>(run, places) : find_best<false>(run, places);
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
