// Tiles of depthwise convolutions whose input a group computes itself: what the group's tile is, and
// which places of x its windows reach. To be included after parameters.glsl and grid.glsl.
/* words
constant kTapsMax from kernels/dispatch/depthwise_tile.h
constant kTilePixels from kernels/dispatch/depthwise_tile.h
struct TileWords
  uint groups, channels, outputs
  uint size[2], out_size[2], tile[2]  // height and width
  uint kernel[2], stride[2], dilation[2], pad[2]
*/

// Four output channels from `o` on, of `outputs` from (oh, ow) on, of image n.
struct Tile {
  uint n, o, oh, ow;
  uvec2 outputs;
};
Tile tile_of_group(uint rest) {
  uint quads = (parameter(kOutputs) + 3u) / 4u;
  uvec2 size = uvec2(parameter(kTile), parameter(kTile + 1u));
  uvec2 out_size = uvec2(parameter(kOutSize), parameter(kOutSize + 1u));
  uvec2 tiles = (out_size + size - 1u) / size;
  Tile tile;
  uint quotient = rest / quads;
  tile.o = (rest - quotient * quads) * 4u;
  rest = quotient;
  quotient = rest / tiles.y;
  tile.ow = (rest - quotient * tiles.y) * size.y;
  tile.n = quotient / tiles.x;
  tile.oh = (quotient - tile.n * tiles.x) * size.x;
  tile.outputs = min(size, out_size - uvec2(tile.oh, tile.ow));
  return tile;
}

// The places of x that the windows of a tile reach along an axis: those inside of it, from `first`
// on. `start`: where the first window begins, maybe before x.
struct Reach {
  int start;
  uint first, count;
};
Reach reach_of(uint axis, uint begin, uint count) {
  uint stride = parameter(kStride + axis);
  Reach reach;
  reach.start = int(begin * stride) - int(parameter(kPad + axis));
  int end = reach.start + int((count - 1u) * stride + (parameter(kKernel + axis) - 1u) * parameter(kDilation + axis)) + 1;
  int first = max(reach.start, 0);
  reach.first = uint(first);
  reach.count = uint(max(min(end, int(parameter(kSize + axis))) - first, 0));
  return reach;
}

// Sets where neighboring places of those begin in x, from place `first` on; the last one again where
// there are fewer. `x_first`: of place 0, in elements; `strides`: of rows and columns.
void find_places(out uint x_at[kTilePixels], uint first, Reach rows, Reach columns, uint x_first, uvec2 strides) {
  uint count = rows.count * columns.count;
  uint row = min(first, count - 1u) / columns.count;
  uint column = min(first, count - 1u) - row * columns.count;
  [[unroll]] for (uint j = 0u; j < kTilePixels; ++j) {
    x_at[j] = x_first + row * strides.x + column * strides.y;
    if (first + j + 1u < count && ++column == columns.count) {
      column = 0u;
      ++row;
    }
  }
}
// SPDX-License-Identifier: Apache-2.0
