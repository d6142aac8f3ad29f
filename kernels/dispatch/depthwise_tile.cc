// Tries all tiles, and takes the one of least estimated time.
#include "kernels/dispatch/depthwise_tile.h"

#include <algorithm>

#include "core/status.h"
#include "kernels/dispatch/slices.h"

namespace arenite {
namespace {

constexpr uint64_t kLanes = 64;           // invocations of a group
constexpr uint64_t kSharedBytes = 16384;  // what each device has
constexpr uint64_t kPlaceBytes = 16;      // four floats
// Fewer groups leave a large GPU idle.
constexpr uint64_t kGroupsAtOnce = kFewInvocations / kLanes;
// Multiply-accumulates that a large GPU does while it waits at a barrier: on an H100 a dispatch
// that waits for the one before takes 4 us more.
constexpr uint64_t kProductsOfABarrier = uint64_t{1} << 23;
// Pairs of a greater cost take longer in one dispatch than in two: on an H200 16 to 96 channels
// that end in 56 x 56 pixels, a cost of 456, 17.9 us and 12.6; 24 to 144 channels of 56 x 56
// pixels, 472, 16.1 us and 12.3; 112 to 672 channels of 14 x 14 pixels and windows of 5 x 5, 396,
// stay even.
constexpr uint64_t kCostOfTwoDispatches = 400;
// So often a group waits for loads in the time that a barrier and a dispatch take.
constexpr uint64_t kWaitsOfABarrier = 16;

uint32_t tiles_along(const DepthwiseImage& image, uint32_t axis, uint32_t size) {
  return (image.out_size[axis] + size - 1) / size;
}

// Places of x inside of it that the windows of a tile reach along an axis.
uint64_t reach(const DepthwiseImage& image, uint32_t axis, uint32_t size, uint32_t tile) {
  const uint64_t first = uint64_t{tile} * size;
  const uint64_t last = std::min<uint64_t>(first + size, image.out_size[axis]) - 1;
  const uint64_t window = uint64_t{image.kernel[axis] - 1} * image.dilation[axis] + 1;
  const uint64_t begin = first * image.stride[axis];  // counted from the padding's first place
  const uint64_t end = last * image.stride[axis] + window;
  const uint64_t low = std::max<uint64_t>(begin, image.pad[axis]);
  const uint64_t high = std::min<uint64_t>(end, uint64_t{image.pad[axis]} + image.size[axis]);
  return low < high ? high - low : 0;
}

struct Reach {
  uint64_t most = 0, sum = 0;  // of one tile, and of all
};

Reach reach_of_all(const DepthwiseImage& image, uint32_t axis, uint32_t size) {
  Reach all;
  for (uint32_t tile = 0; tile < tiles_along(image, axis, size); ++tile) {
    const uint64_t one = reach(image, axis, size, tile);
    all.most = std::max(all.most, one);
    all.sum += one;
  }
  return all;
}

uint64_t most_places(const DepthwiseImage& image, const DepthwiseTile& tile) {
  return reach_of_all(image, 0, tile.size[0]).most * reach_of_all(image, 1, tile.size[1]).most;
}

// A group computes its pointwise results in passes. In each, all invocations sum up some places at
// once, in a turn for each four channels of their slices, and wait for a turn's loads together.
struct Turns {
  uint64_t passes, each;
};

Turns turns_of(const DepthwiseImage& image, const DepthwiseTile& tile, uint64_t places) {
  const uint64_t at_once = (kLanes >> tile.slices_log) * kTilePixels;
  const uint64_t loads = (uint64_t{image.channels} + 3) / 4;
  return {(places + at_once - 1) / at_once,
          (loads + (uint64_t{1} << tile.slices_log) - 1) >> tile.slices_log};
}

// About the time of the dispatch, in units of an instruction's latency: groups run in waves of
// kGroupsAtOnce. Fitted to all choices of 47 steps of three networks on an H200, of which it takes
// those that are 0.3 us slower than the fastest, in the mean.
uint64_t cost(const DepthwiseImage& image, const DepthwiseTile& tile, uint64_t places) {
  constexpr uint64_t kWait = 16, kPass = 64, kTap = 2, kStart = 64;
  const Turns turns = turns_of(image, tile, places);
  const uint64_t outputs = uint64_t{tile.size[0]} * tile.size[1];
  const uint64_t taps = uint64_t{image.kernel[0]} * image.kernel[1];
  const uint64_t group = turns.passes * (turns.each * (kWait + kTilePixels) + kPass) +
                         (outputs + kLanes - 1) / kLanes * taps * kTap + kStart;
  const uint64_t groups =
      image.images * tiles_along(image, 0, tile.size[0]) * tiles_along(image, 1, tile.size[1]);
  return group * ((groups + kGroupsAtOnce - 1) / kGroupsAtOnce);
}

}  // namespace

DepthwiseTile tile_of(const DepthwiseImage& image, uint32_t choice) {
  DepthwiseTile tile = {.slices_log = choice / 9};
  const uint32_t logs[2] = {2 + choice % 3, 2 + choice / 3 % 3};
  for (uint32_t axis = 0; axis < 2; ++axis) {
    // As many tiles as sizes of this power of two make, all of about one size.
    const uint32_t out_size = image.out_size[axis];
    const uint32_t tiles = tiles_along(image, axis, 1u << logs[axis]);
    tile.size[axis] = tiles == 0 ? 1 : (out_size + tiles - 1) / tiles;
  }
  return tile;
}

uint64_t places_of(const DepthwiseImage& image, const DepthwiseTile& tile) {
  uint64_t places = 1;
  for (uint32_t axis = 0; axis < 2; ++axis) {
    const uint64_t all = uint64_t{tile.size[axis] - 1} * image.stride[axis] +
                         uint64_t{image.kernel[axis] - 1} * image.dilation[axis] + 1;
    places *= std::min<uint64_t>(all, image.size[axis]);
  }
  return places;
}

bool fits_shared_memory(const DepthwiseImage& image, const DepthwiseTile& tile) {
  const uint64_t parts = tile.slices_log == 0 ? 1 : kLanes * kTilePixels;
  // The sum does not overflow: there are no more places than elements of x, whose count fits 32
  // bits.
  return (places_of(image, tile) + parts + kTapsMax) * kPlaceBytes <= kSharedBytes;
}

uint32_t choose_depthwise_tile(const DepthwiseImage& image) {
  uint32_t best = kNoIndex;
  uint64_t least = UINT64_MAX;
  // Larger tiles, which compute fewer places twice, are taken where times are equal.
  for (uint32_t choice = kTileChoices; choice-- > 0;) {
    const DepthwiseTile tile = tile_of(image, choice);
    if (!fits_shared_memory(image, tile)) continue;
    const uint64_t time = cost(image, tile, most_places(image, tile));
    if (time >= least) continue;
    least = time;
    best = choice;
  }
  return best;
}

bool pays_in_one_dispatch(const DepthwiseImage& image) {
  const uint32_t choice = choose_depthwise_tile(image);
  if (choice == kNoIndex) return false;
  const DepthwiseTile tile = tile_of(image, choice);
  const Turns turns = turns_of(image, tile, most_places(image, tile));
  if (turns.passes * turns.each > kWaitsOfABarrier) return false;
  const uint64_t computed =
      reach_of_all(image, 0, tile.size[0]).sum * reach_of_all(image, 1, tile.size[1]).sum;
  const uint64_t places = uint64_t{image.size[0]} * image.size[1];
  const uint64_t again = computed > places ? computed - places : 0;
  return again * image.images * 4 * image.channels <= kProductsOfABarrier;
}

bool is_faster_in_one_dispatch(const DepthwiseImage& image) {
  const uint32_t choice = choose_depthwise_tile(image);
  if (choice == kNoIndex) return false;
  const DepthwiseTile tile = tile_of(image, choice);
  return cost(image, tile, most_places(image, tile)) <= kCostOfTwoDispatches;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
