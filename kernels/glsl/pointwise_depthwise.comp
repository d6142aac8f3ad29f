// Depthwise convolution of what a pointwise convolution makes of x. A group computes four channels
// of a tile of y. First it computes the pointwise results that the tile's windows reach, into shared
// memory: an invocation sums up some neighboring places, or several share these, each with a slice
// of the input channels. Results at the rim of a tile are computed by its neighbors, too.
/* words
use activation
use weights
use depthwise_tile
spec
  ActivationKind inner_activation  // of the pointwise convolution
  ActivationKind activation
  bool vectors_x     // four channels of x are an aligned vec4
  bool vectors_w     // four output channels of the pointwise convolution's weights are
  bool vectors_taps  // and of the taps
  bool vectors_y     // and of y
  WeightsType weights  // their type
  uint slices = 1    // invocations that share some places: a power of two up to 8
  uint places = 16   // of pointwise results that outputs of a tile need, at most
parameters
  TileWords image
  uint x_skip, w_skip, bias_skip, taps_skip, taps_bias_skip, y_skip
  uint x_strides[4], y_strides[4], taps_strides[3]  // n, c, h, w; kh, kw, c
  uint w_strides[3]  // from 16 output channels to the next, from one, and from an input channel
  uint bias_stride, taps_bias_stride
  float inner_a, inner_b, a, b  // of the activations
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "pointwise_depthwise.words.glsl"
#include "grid.glsl"
#include "activation.glsl"
#include "floats.glsl"
#include "parameters.glsl"
#include "depthwise_tile.glsl"
#include "uniform_numbers.glsl"
#include "weights.glsl"

layout(set = 0, binding = 0) readonly buffer X { stored x[]; };
layout(set = 0, binding = 0) readonly buffer X4 { stored4 x4[]; };
layout(set = 0, binding = 2) readonly buffer Taps { stored taps[]; };
layout(set = 0, binding = 2) readonly buffer Taps4 { stored4 taps4[]; };
layout(set = 0, binding = 3) writeonly buffer Y { stored y[]; };
layout(set = 0, binding = 3) writeonly buffer Y4 { stored4 y4[]; };
layout(std140, set = 0, binding = PARAMETER_BINDING + 1) uniform Bias { uvec4 bias[1024]; };
layout(std140, set = 0, binding = PARAMETER_BINDING + 2) uniform TapsBias { uvec4 taps_bias[1024]; };

const uint kRuns = 64u / kSlices;  // of places, that a group sums up at once
shared vec4 results[kPlaces];
shared vec4 parts[kSlices > 1u ? 64u * kTilePixels : 1u];  // by slice and place
shared vec4 window[kTapsMax];

vec4 pointwise_end(uint o, vec4 v) {
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    uint channel = min(o + i, parameter(kOutputs) - 1u);
    uint at = parameter(kBiasSkip) + channel * parameter(kBiasStride);
    v[i] = activate(kInnerActivation, v[i] + number_in(bias[at >> kVectorLog], at),
                    float_parameter(kInnerA), float_parameter(kInnerB));
  }
  return v;
}

vec4 depthwise_end(uint o, vec4 v) {
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    uint channel = min(o + i, parameter(kOutputs) - 1u);
    uint at = parameter(kTapsBiasSkip) + channel * parameter(kTapsBiasStride);
    v[i] = activate(kActivation, v[i] + number_in(taps_bias[at >> kVectorLog], at),
                    float_parameter(kA), float_parameter(kB));
  }
  return v;
}

vec4 taps_of(uint tap, uint o) {
  uint row = tap / parameter(kKernel + 1u);
  uint at = parameter(kTapsSkip) + row * parameter(kTapsStrides) +
            (tap - row * parameter(kKernel + 1u)) * parameter(kTapsStrides + 1u);
  uint apart = parameter(kTapsStrides + 2u);
  if (kVectorsTaps) return vec4(taps4[(at + o * apart) >> 2]);
  vec4 v;
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    v[i] = float(taps[at + min(o + i, parameter(kOutputs) - 1u) * apart]);
  }
  return v;
}

// The weights of output channels o to o + 3, the last one again where there are fewer, and of an
// input channel. `w_at`: of the first channel's.
vec4 weights_of(uint w_at, uint o, uint c) {
  uint at = w_at + c * parameter(kWStrides + 2u);
  if (kVectorsW) return weights_of_quad(at >> 2);
  return weights_at(at + min(uvec4(0u, 1u, 2u, 3u), uvec4(parameter(kOutputs) - 1u - o)) * parameter(kWStrides + 1u));
}

// Adds what a slice of the input channels gives the places of x at x_at.
void add_products(inout vec4 sums[kTilePixels], uint x_at[kTilePixels], uint o, uint slice) {
  uint channels = parameter(kChannels);
  uint w_at = parameter(kWSkip) + (o >> 4) * parameter(kWStrides) + (o & 15u) * parameter(kWStrides + 1u);
  if (kVectorsX) {
    for (uint c = 4u * slice; c < channels; c += 4u * kSlices) {
      vec4 w_0 = weights_of(w_at, o, c);
      vec4 w_1 = weights_of(w_at, o, c + 1u);
      vec4 w_2 = weights_of(w_at, o, c + 2u);
      vec4 w_3 = weights_of(w_at, o, c + 3u);
      vec4 v[kTilePixels];
      [[unroll]] for (uint j = 0u; j < kTilePixels; ++j) {
        v[j] = vec4(x4[(x_at[j] + c) >> 2]);
      }
      [[unroll]] for (uint j = 0u; j < kTilePixels; ++j) {
        sums[j] += v[j].x * w_0 + v[j].y * w_1 + v[j].z * w_2 + v[j].w * w_3;
      }
    }
  } else {
    for (uint c = slice; c < channels; c += kSlices) {
      vec4 w_c = weights_of(w_at, o, c);
      [[unroll]] for (uint j = 0u; j < kTilePixels; ++j) {
        sums[j] += float(x[x_at[j] + c * parameter(kXStrides + 1u)]) * w_c;
      }
    }
  }
}

void compute_results(uint n, uint o, Reach rows, Reach columns) {
  uint local = gl_LocalInvocationID.x;
  uint slice = local % kSlices;
  uint run = local / kSlices;
  uint count = rows.count * columns.count;
  uint x_first = parameter(kXSkip) + n * parameter(kXStrides) + rows.first * parameter(kXStrides + 2u) +
                 columns.first * parameter(kXStrides + 3u);
  for (uint base = 0u; base < count; base += kRuns * kTilePixels) {
    uint first = base + run * kTilePixels;
    uint x_at[kTilePixels];
    vec4 sums[kTilePixels];
    find_places(x_at, first, rows, columns, x_first, uvec2(parameter(kXStrides + 2u), parameter(kXStrides + 3u)));
    [[unroll]] for (uint j = 0u; j < kTilePixels; ++j) sums[j] = vec4(0.0);
    add_products(sums, x_at, o, slice);
    if (kSlices == 1u) {
      [[unroll]] for (uint j = 0u; j < kTilePixels; ++j) {
        if (first + j < count) results[first + j] = pointwise_end(o, sums[j]);
      }
    } else {
      [[unroll]] for (uint j = 0u; j < kTilePixels; ++j) {
        parts[slice * kRuns * kTilePixels + run * kTilePixels + j] = sums[j];
      }
      barrier();
      for (uint i = local; i < kRuns * kTilePixels && base + i < count; i += 64u) {
        vec4 sum = vec4(0.0);
        for (uint s = 0u; s < kSlices; ++s) sum += parts[s * kRuns * kTilePixels + i];
        results[base + i] = pointwise_end(o, sum);
      }
      barrier();  // the next turn overwrites the parts
    }
  }
}

void main() {
  if (grid_group() >= parameter(kGroups)) return;  // a whole group returns, or nobody waits at a barrier
  Tile tile = tile_of_group(grid_group());
  uint o = tile.o;
  uint local = gl_LocalInvocationID.x;
  uvec2 kernel = uvec2(parameter(kKernel), parameter(kKernel + 1u));
  if (local < kernel.x * kernel.y) window[local] = taps_of(local, o);
  Reach rows = reach_of(0u, tile.oh, tile.outputs.x);
  Reach columns = reach_of(1u, tile.ow, tile.outputs.y);
  compute_results(tile.n, o, rows, columns);
  barrier();

  for (uint i = local; i < tile.outputs.x * tile.outputs.y; i += 64u) {
    uint row = i / tile.outputs.y;
    uint column = i - row * tile.outputs.y;
    int top = rows.start + int(row * parameter(kStride)) - int(rows.first);
    int left = columns.start + int(column * parameter(kStride + 1u)) - int(columns.first);
    vec4 sum = vec4(0.0);
    for (uint kh = 0u; kh < kernel.x; ++kh) {
      uint h = uint(top + int(kh * parameter(kDilation)));
      if (h >= rows.count) continue;  // before the first counts as large
      for (uint kw = 0u; kw < kernel.y; ++kw) {
        uint w = uint(left + int(kw * parameter(kDilation + 1u)));
        if (w < columns.count) sum += results[h * columns.count + w] * window[kh * kernel.y + kw];
      }
    }
    vec4 v = depthwise_end(o, sum);
    uint y_at = parameter(kYSkip) + tile.n * parameter(kYStrides) + o * parameter(kYStrides + 1u) +
                (tile.oh + row) * parameter(kYStrides + 2u) + (tile.ow + column) * parameter(kYStrides + 3u);
    if (kVectorsY) {
      y4[y_at >> 2] = store4(v);
    } else {
      [[unroll]] for (uint c = 0u; c < 4u; ++c) {
        if (o + c < parameter(kOutputs)) y[y_at + c * parameter(kYStrides + 1u)] = store(v[c]);
      }
    }
  }
}
// SPDX-License-Identifier: Apache-2.0
