// Direct convolution without groups from weights in panels of 16: an invocation computes four or
// eight output channels of up to eight pixels of a row, a tile, so that what it loads serves many
// products. Where there are few tiles, several invocations of a group share one: each takes every
// n-th load of input channels, counted over all taps, and the group adds up their sums. With RESIDUAL a tensor of y's strides is
// added before the activation, and the bias is a uniform buffer: a device may bind no more than four
// storage buffers.
/* words
use activation
use weights
use conv
struct ConvPanelSpec
  uint pixels = 4  // 1, 2, 4 or 8
  ActivationKind activation
  bool has_bias = true
  bool vectors_x  // four channels of x are an aligned vec4
  bool vectors_y  // and of y
  bool inside  // no window leaves the input
  uint quads = 1  // groups of four output channels: 1 or 2
  WeightsType weights  // their type
  uint slices = 1  // invocations that share a tile: a power of two up to 32; more than 1 need quads = 1
*/
#include "grid.glsl"
#include "activation.glsl"
#include "floats.glsl"
#include "conv.glsl"
#include "weights.glsl"

const uint kMaxPixels = 8u;
const uint kMaxQuads = 2u;

layout(set = 0, binding = 0) readonly buffer X { stored x[]; };
layout(set = 0, binding = 0) readonly buffer X4 { stored4 x4[]; };
#ifdef RESIDUAL
layout(set = 0, binding = 2) readonly buffer R { stored r[]; };
layout(set = 0, binding = 2) readonly buffer R4 { stored4 r4[]; };
layout(std140, set = 0, binding = 4) uniform Bias { uvec4 bias[1024]; };  // words, the guaranteed 16 KiB
#include "uniform_numbers.glsl"
#else
layout(set = 0, binding = 2) readonly buffer Bias { stored bias[]; };
#endif
layout(set = 0, binding = 3) writeonly buffer Y { stored y[]; };
layout(set = 0, binding = 3) writeonly buffer Y4 { stored4 y4[]; };

const uint kTiles = 64u / kSlices;  // of a group
shared vec4 parts[kSlices > 1u ? 64u * kPixels : 1u];  // by slice, tile and pixel

// Output channels 4 * quad and on of the pixels from column ow of row oh of image n.
struct Tile {
  uint quad, ow, oh, n;
};
Tile tile_of(uint rest) {
  Tile tile;
  uint quads = (p.outputs + 4u * kQuads - 1u) / (4u * kQuads);
  uint strips = (p.out_width + kPixels - 1u) / kPixels;
  uint quotient = rest / quads;
  tile.quad = (rest - quotient * quads) * kQuads;
  rest = quotient;
  quotient = rest / strips;
  tile.ow = (rest - quotient * strips) * kPixels;
  tile.n = quotient / p.out_height;
  tile.oh = quotient - tile.n * p.out_height;
  return tile;
}

float bias_at(uint at) {
#ifdef RESIDUAL
  return number_in(bias[at >> kVectorLog], at);
#else
  return float(bias[at]);
#endif
}

vec4 bias_of(uint o) {
  vec4 offset = vec4(0.0);
  if (kHasBias) {
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
      offset[i] = bias_at(p.bias_skip + min(o + i, p.outputs - 1u) * p.bias_stride);
    }
  }
  return offset;
}

// Writes the sums, with their bias, of output channels o to o + 3 of the tile's pixel j.
void finish(Tile tile, uint o, uint j, vec4 v) {
  if (tile.ow + j >= p.out_width) return;
  uint y_at = p.y_skip + tile.n * p.y_strides[0] + o * p.y_strides[1] + tile.oh * p.y_strides[2] +
              (tile.ow + j) * p.y_strides[3];
#ifdef RESIDUAL
  uint r_at = y_at - p.y_skip + p.r_skip;  // r has y's strides
  if (kVectorsY) {
    v += vec4(r4[r_at >> 2]);
  } else {
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
      if (o + i < p.outputs) v[i] += float(r[r_at + i * p.y_strides[1]]);
    }
  }
#endif
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    v[i] = activate(kActivation, v[i], p.activation_a, p.activation_b);
    if (!kVectorsY && o + i < p.outputs) y[y_at + i * p.y_strides[1]] = store(v[i]);
  }
  if (kVectorsY) y4[y_at >> 2] = store4(v);
}

void main() {
  uint local = gl_LocalInvocationID.x;
  uint slice = kSlices > 1u ? local / kTiles : 0u;
  uint first = kSlices > 1u ? grid_group() * kTiles : 0u;
  uint rest = kSlices > 1u ? first + local % kTiles : grid_index();
  if (rest >= p.count) {
    if (kSlices == 1u) return;
    rest = p.count - 1u;  // all of a group meet at the barrier
  }
  Tile tile = tile_of(rest);

  uvec2 kernel = halves(p.kernel), stride = halves(p.stride), dilation = halves(p.dilation);
  ivec2 pad = ivec2(halves(p.pad));
  int top = int(tile.oh * stride.x) - pad.x;
  uint x_first = p.x_skip + tile.n * p.x_strides[0];
  // In vectors of four: panel quad / 4, its columns 4 * (quad % 4) and on.
  uint w_at = (p.w_skip >> 2) + (tile.quad >> 2) * kernel.x * kernel.y * p.channels * 4u + (tile.quad & 3u);

  // The last strip repeats its last pixel instead of leaving the row.
  int left[kMaxPixels];
  [[unroll]] for (uint j = 0u; j < kMaxPixels; ++j) {
    left[j] = int(min(tile.ow + j, p.out_width - 1u) * stride.y) - pad.y;
  }

  uint loads = kVectorsX ? p.channels / 4u : p.channels;  // of a tap
  uint turn = slice;  // of the tap's loads the first that is the invocation's
  vec4 sums[kMaxPixels * kMaxQuads];
  [[unroll]] for (uint j = 0u; j < kMaxPixels * kMaxQuads; ++j) sums[j] = vec4(0.0);
  for (uint kh = 0u; kh < kernel.x; ++kh) {
    uint h = uint(top + int(kh * dilation.x));
    if (!kInside && h >= p.height) {  // before the input counts as large
      w_at += kernel.y * p.channels * 4u;
      continue;
    }
    for (uint kw = 0u; kw < kernel.y; ++kw) {
      uint begin = turn;
      if (kSlices > 1u) {
        turn = (turn - loads) & (kSlices - 1u);
        if (begin >= loads) {
          w_at += p.channels * 4u;
          continue;
        }
      }
      // Pixels outside read the first element of x and take zero in its place: cheaper than a branch
      // for each, or than dropping sums. A weight that is infinite makes them NaN.
      uint x_at[kMaxPixels];
      bool inside[kMaxPixels];
      [[unroll]] for (uint j = 0u; j < kMaxPixels; ++j) {
        uint column = uint(left[j] + int(kw * dilation.y));
        inside[j] = kInside || column < p.width;
        x_at[j] = x_first + (inside[j] ? h * p.x_strides[2] + column * p.x_strides[3] : 0u);
      }
      if (kVectorsX) {
        for (uint c = 4u * begin; c < p.channels; c += 4u * kSlices) {
          vec4 v[kMaxPixels];
          [[unroll]] for (uint j = 0u; j < kMaxPixels; ++j) {
            if (j < kPixels) {
              v[j] = vec4(x4[(x_at[j] + c) >> 2]);
              if (!kInside) v[j] = inside[j] ? v[j] : vec4(0.0);
            }
          }
          [[unroll]] for (uint q = 0u; q < kMaxQuads; ++q) {
            if (q < kQuads) {
              uint at = w_at + 4u * c + q;
              vec4 w_0 = weights_of_quad(at);
              vec4 w_1 = weights_of_quad(at + 4u);
              vec4 w_2 = weights_of_quad(at + 8u);
              vec4 w_3 = weights_of_quad(at + 12u);
              [[unroll]] for (uint j = 0u; j < kMaxPixels; ++j) {
                if (j < kPixels) {
                  vec4 sum = sums[q * kMaxPixels + j];
                  sum += v[j].x * w_0;
                  sum += v[j].y * w_1;
                  sum += v[j].z * w_2;
                  sum += v[j].w * w_3;
                  sums[q * kMaxPixels + j] = sum;
                }
              }
            }
          }
        }
      } else {
        for (uint c = begin; c < p.channels; c += kSlices) {
          float v[kMaxPixels];
          [[unroll]] for (uint j = 0u; j < kMaxPixels; ++j) {
            if (j < kPixels) {
              v[j] = float(x[x_at[j] + c * p.x_strides[1]]);
              if (!kInside) v[j] = inside[j] ? v[j] : 0.0;
            }
          }
          [[unroll]] for (uint q = 0u; q < kMaxQuads; ++q) {
            if (q < kQuads) {
              vec4 weights = weights_of_quad(w_at + 4u * c + q);
              [[unroll]] for (uint j = 0u; j < kMaxPixels; ++j) {
                if (j < kPixels) sums[q * kMaxPixels + j] += v[j] * weights;
              }
            }
          }
        }
      }
      w_at += p.channels * 4u;
    }
  }

  if (kSlices > 1u) {
    uint outputs = kTiles * kPixels;
    [[unroll]] for (uint j = 0u; j < kMaxPixels; ++j) {
      if (j < kPixels) parts[slice * outputs + (local % kTiles) * kPixels + j] = sums[j];
    }
    barrier();
    for (uint i = local; i < outputs && first + i / kPixels < p.count; i += 64u) {
      vec4 sum = vec4(0.0);
      for (uint s = 0u; s < kSlices; ++s) sum += parts[s * outputs + i];
      Tile done = tile_of(first + i / kPixels);
      finish(done, 4u * done.quad, i % kPixels, sum + bias_of(4u * done.quad));
    }
    return;
  }
  [[unroll]] for (uint q = 0u; q < kMaxQuads; ++q) {
    uint o = (tile.quad + q) * 4u;
    if (q >= kQuads || o >= p.outputs) break;
    vec4 offset = bias_of(o);
    [[unroll]] for (uint j = 0u; j < kMaxPixels; ++j) {
      if (j < kPixels) finish(tile, o, j, sums[q * kMaxPixels + j] + offset);
    }
  }
}
// SPDX-License-Identifier: Apache-2.0
