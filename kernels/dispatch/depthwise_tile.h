// Into which tiles y of pointwise_depthwise is cut, and whether one dispatch for both convolutions
// is worth the places that neighboring tiles compute twice.
#pragma once

#include <cstdint>

namespace arenite {

// Sizes are of height and width.
struct DepthwiseImage {
  uint64_t images = 0;    // of four output channels each
  uint32_t channels = 0;  // input channels
  uint32_t size[2] = {}, out_size[2] = {};
  uint32_t kernel[2] = {}, stride[2] = {}, dilation[2] = {}, pad[2] = {};
};

// The same image of bytes, of which loads and products take four at a time.
inline DepthwiseImage of_bytes(DepthwiseImage image) {
  image.channels = image.channels / 4 + (image.channels % 4 != 0 ? 1 : 0);
  return image;
}

// The outputs of a group of invocations, and how many invocations share places of its pointwise
// results, each with a slice of the input channels.
struct DepthwiseTile {
  uint32_t size[2] = {};  // of y
  uint32_t slices_log = 0;
};
// Places that an invocation, or several with a slice each, sum up at once.
inline constexpr uint32_t kTilePixels = 8;
// Taps of a channel that a group keeps in shared memory.
inline constexpr uint32_t kTapsMax = 64;

// A step's choice says a tile: of about 4, 8 or 16 outputs along each axis, and 1 to 8 slices.
inline constexpr uint32_t kTileChoices = 3 * 3 * 4;
DepthwiseTile tile_of(const DepthwiseImage& image, uint32_t choice);
// The choice that suits an image of at most kTapsMax taps; kNoIndex where the places of no tile fit
// shared memory.
uint32_t choose_depthwise_tile(const DepthwiseImage& image);

// As many pointwise results as outputs of one tile need at most, or more, and whether shared memory
// holds them.
uint64_t places_of(const DepthwiseImage& image, const DepthwiseTile& tile);
bool fits_shared_memory(const DepthwiseImage& image, const DepthwiseTile& tile);

// Whether one dispatch is expected to take no more than a few us longer than two with a barrier
// between; it spares the bytes of the tensor between them.
bool pays_in_one_dispatch(const DepthwiseImage& image);

// Whether it takes less time even where groups wait for several tiles each; floats alone.
bool is_faster_in_one_dispatch(const DepthwiseImage& image);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
