// Convolution without groups from weights in panels of 16, as a product of matrices by tiles in shared memory
// (include/product_tile.glsl): rows are pixels of an image, columns output channels, k the input channels of one
// tap after another. Where there are few tiles, groups share them: each adds up a part of the k, and a second
// pass adds the parts and a residual, four channels an invocation.
/* words
use activation
use weights
use conv
spec
  uint rows = 8  // of an invocation: 4 or 8
  ActivationKind activation
  bool has_bias
  bool vectors_x  // four channels of x are an aligned vec4
  bool vectors_y  // and of y
  bool inside  // no window leaves the input
  WeightsType weights  // their type
  uint parts = 1
  bool add_parts  // the second pass: the parts are at binding 0
  bool has_residual  // at binding 1 of the second pass, of y's strides
push ConvPush
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "conv_tile.words.glsl"
#include "grid.glsl"
#include "activation.glsl"
#include "floats.glsl"
#include "conv.glsl"
#include "weights.glsl"

layout(set = 0, binding = 0) readonly buffer X { stored x[]; };
layout(set = 0, binding = 0) readonly buffer X4 { stored4 x4[]; };
layout(set = 0, binding = 0) readonly buffer PartsIn { vec4 parts_in[]; };
layout(set = 0, binding = 1) readonly buffer R { stored r[]; };
layout(set = 0, binding = 1) readonly buffer R4 { stored4 r4[]; };
layout(set = 0, binding = 2) readonly buffer Bias { stored bias[]; };
layout(set = 0, binding = 3) writeonly buffer Y { stored y[]; };
layout(set = 0, binding = 3) writeonly buffer Y4 { stored4 y4[]; };
layout(set = 0, binding = 3) writeonly buffer PartsOut { vec4 parts_out[]; };

const bool kPanels = true;
#include "product_tile.glsl"

// Output channels and pixels of image n, from the first on.
struct Tile {
  uint o, pixel, n;
};
Tile tile_of(uint rest) {
  Tile tile;
  uint across = (p.outputs + kTileColumns - 1u) / kTileColumns;
  uint strips = (p.out_height * p.out_width + kTileRows - 1u) / kTileRows;
  uint quotient = rest / across;
  tile.o = (rest - quotient * across) * kTileColumns;
  tile.n = quotient / strips;
  tile.pixel = (quotient - tile.n * strips) * kTileRows;
  return tile;
}

uvec2 kernel, dilation;
uint depth;
uint w_at[kLoads];  // of the vectors that an invocation brings, for k = 0
// The windows of the rows that an invocation brings.
ivec2 corner[kLoads];
uint x_first;

void find_sources(Tile tile) {
  kernel = halves(p.kernel);
  dilation = halves(p.dilation);
  depth = kernel.x * kernel.y * p.channels;
  x_first = p.x_skip + tile.n * p.x_strides[0];
  uint pixels = p.out_height * p.out_width;
  [[unroll]] for (uint j = 0u; j < kLoads; ++j) {
    // The last channels and the last pixel again where there are fewer.
    uint o = min(tile.o + column_of_load(j), p.outputs - 1u);
    w_at[j] = p.w_skip + o / 16u * depth * 16u + o % 16u + k_of_column(j) * 16u;
    uint pixel = min(tile.pixel + row_of_load(j), pixels - 1u);
    uint oh = pixel / p.out_width;
    corner[j] = ivec2(uvec2(oh, pixel - oh * p.out_width) * halves(p.stride)) - ivec2(halves(p.pad));
  }
}

// The tap of a k, and its channel.
uvec3 tap_of(uint k) {
  uint tap = k / p.channels;
  uint row = tap / kernel.y;
  return uvec3(row, tap - row * kernel.y, k - tap * p.channels);
}

// Whether the tap of a window lies inside the input, and then where its channel does.
bool find_tap(ivec2 window, uvec3 tap, out uint at) {
  uvec2 place = uvec2(window + ivec2(tap.xy * dilation));
  at = x_first + place.x * p.x_strides[2] + place.y * p.x_strides[3] + tap.z * p.x_strides[1];
  return kInside || (place.x < p.height && place.y < p.width);  // before the input counts as large
}

void read_step(uint k, out factors from_a[kLoads], out factors from_b[kLoads]) {
  uint k_row = k + k_of_row();
  [[unroll]] for (uint j = 0u; j < kLoads; ++j) {
    from_a[j] = factors(0);
    from_b[j] = factors(0);
    if (k + k_of_column(j) < depth) from_b[j] = factors_of_b((w_at[j] + k * 16u) / kVector);
  }
  uint at;
  if (kVectorsX) {
    if (k_row >= depth) return;
    uvec3 tap = tap_of(k_row);
    [[unroll]] for (uint j = 0u; j < kLoads; ++j) {
      if (j < kRowLoads && find_tap(corner[j], tap, at)) from_a[j] = factors(x4[at >> 2]);
    }
    return;
  }
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    if (k_row + i >= depth) continue;
    uvec3 tap = tap_of(k_row + i);
    [[unroll]] for (uint j = 0u; j < kLoads; ++j) {
      if (j < kRowLoads && find_tap(corner[j], tap, at)) from_a[j][i] = factor(x[at]);
    }
  }
}

// Writes the sums of four output channels of a pixel.
void finish(uint n, uint pixel, uint o, vec4 v) {
  uint oh = pixel / p.out_width;
  uint y_at = p.y_skip + n * p.y_strides[0] + o * p.y_strides[1] + oh * p.y_strides[2] +
              (pixel - oh * p.out_width) * p.y_strides[3];
  uint r_at = y_at - p.y_skip + p.r_skip;
  if (kHasResidual && kVectorsY) v += vec4(r4[r_at >> 2]);
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    if (kHasResidual && !kVectorsY && o + i < p.outputs) v[i] += float(r[r_at + i * p.y_strides[1]]);
    if (kHasBias) v[i] += float(bias[p.bias_skip + min(o + i, p.outputs - 1u) * p.bias_stride]);
    v[i] = activate(kActivation, v[i], p.activation_a, p.activation_b);
    if (!kVectorsY && o + i < p.outputs) y[y_at + i * p.y_strides[1]] = store(v[i]);
  }
  if (kVectorsY) y4[y_at >> 2] = store4(v);
}

// The vectors of four sums of a part of the k.
uint quads_of_row() { return (p.outputs + 3u) / 4u; }

void add_parts() {
  uint index = grid_index();
  if (index >= p.count) return;
  vec4 sum = vec4(0.0);
  for (uint part = 0u; part < kParts; ++part) sum += parts_in[part * p.count + index];
  uint row = index / quads_of_row();
  uint pixels = p.out_height * p.out_width;
  uint n = row / pixels;
  finish(n, row - n * pixels, 4u * (index - row * quads_of_row()), sum);
}

void main() {
  if (kAddParts) {
    add_parts();
    return;
  }
  if (grid_group() >= p.count) return;  // a whole group returns, or nobody waits at a barrier
  uint tiles = p.count / kParts;
  uint part = grid_group() / tiles;
  Tile tile = tile_of(grid_group() - part * tiles);
  find_sources(tile);
  uint length = (depth + kParts * kDepth - 1u) / (kParts * kDepth) * kDepth;
  vec4 sums[kRowsMax][2];
  sum_up(part * length, min((part + 1u) * length, depth), sums);
  uint pixels = p.out_height * p.out_width;
  uint images = tiles / (((p.outputs + kTileColumns - 1u) / kTileColumns) * ((pixels + kTileRows - 1u) / kTileRows));
  [[unroll]] for (uint r = 0u; r < kRowsMax; ++r) {
    uint pixel = tile.pixel + first_row() + 8u * r;
    if (r < kRows && pixel < pixels) {
      [[unroll]] for (uint i = 0u; i < 2u; ++i) {
        uint o = tile.o + column_of_sums(i);
        if (o >= p.outputs) continue;
        if (kParts == 1u) {
          finish(tile.n, pixel, o, sums[r][i]);
        } else {
          parts_out[((part * images + tile.n) * pixels + pixel) * quads_of_row() + o / 4u] = sums[r][i];
        }
      }
    }
  }
}
// SPDX-License-Identifier: Apache-2.0
