// The part of an image that a group of 64 invocations works on: a block of channels, four an invocation, and a
// chunk of places. Include this after parameters.glsl and grid.glsl.
/* words
struct ShareWords
  uint groups, channels, rows, width, places  // width: places of x in a row
  uint blocks, quads_log  // of channels, each of 4 << quads_log
  uint chunks, chunk      // of places, each of so many
  uint x_skip, y_skip
  uint x_strides[4], y_strides[4]  // n, c, h, w
*/
uint local, quads, lanes, lane;
uint n, block, first_place, last_place;
uint c;  // the first of the invocation's four channels

void find_work() {
  local = gl_LocalInvocationID.x;
  quads = 1u << parameter(kQuadsLog);
  lanes = 64u >> parameter(kQuadsLog);
  lane = local >> parameter(kQuadsLog);
  uint rest = grid_group();
  uint quotient = rest / parameter(kBlocks);
  block = rest - quotient * parameter(kBlocks);
  n = quotient / parameter(kChunks);
  first_place = (quotient - n * parameter(kChunks)) * parameter(kChunk);
  last_place = min(first_place + parameter(kChunk), parameter(kPlaces));
  c = 4u * ((block << parameter(kQuadsLog)) + (local & (quads - 1u)));
}

// The last four channels, or all where there are fewer, stand in for those that are not there.
uint last_quad() { return (parameter(kChannels) - 1u) & ~3u; }

// The elements of a place, before those of the channels.
uint x_place(uint place) {
  uint row = place / parameter(kWidth);
  return parameter(kXSkip) + n * parameter(kXStrides) + row * parameter(kXStrides + 2u) +
         (place - row * parameter(kWidth)) * parameter(kXStrides + 3u);
}
// The element of the invocation's first channel at a place.
uint y_place(uint place) {
  uint row = place / parameter(kWidth);
  return parameter(kYSkip) + n * parameter(kYStrides) + c * parameter(kYStrides + 1u) +
         row * parameter(kYStrides + 2u) + (place - row * parameter(kWidth)) * parameter(kYStrides + 3u);
}
// SPDX-License-Identifier: Apache-2.0
