// Depthwise convolution of what a pointwise convolution makes of x, all of bytes. As in
// pointwise_depthwise.comp a group computes four channels of a tile of y: first the pointwise results
// that the tile's windows reach, into shared memory, requantized. With TABLES tables have what results become.
/* words
use each_element
use requantize
use integer_products
use integer_results
use depthwise_tile
use result_tables
struct DepthwiseSpec
  uint store     // y's type; with kRun beside it four channels are a word
  uint type_x, type_w, type_taps  // as integers.glsl has them
  WordUse words  // of x and w: Bytes, WordsOfRuns or VectorsOfRuns
  bool words_taps  // four channels of the taps are a word
  Rounding inner_rounding, rounding
  uint slices = 1   // invocations that share some places: a power of two up to 8
  uint places = 16  // of pointwise results that outputs of a tile need, at most
struct DepthwiseParameters
  TileWords image
  uint x_skip, w_skip, ends_skip, taps_skip, taps_ends_skip, y_skip
  uint x_strides[4], y_strides[4], taps_strides[3]  // n, c, h, w; kh, kw, c
  uint w_strides[2], ends_strides[2], taps_ends_strides[2]
  int x_zero, w_zero, inner_zero, taps_zero
  int inner_output_zero, inner_low, inner_high  // of the pointwise results
  OutputWords output
  ResultTables tables
*/
#include "parameters.glsl"
#include "wide.glsl"
#include "requantize.glsl"

layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 0) readonly buffer X4 { uvec4 x4[]; };
layout(set = 0, binding = 1) readonly buffer W { uint w[]; };
layout(set = 0, binding = 1) readonly buffer W4 { uvec4 w4[]; };
layout(set = 0, binding = 2) readonly buffer Taps { uint taps[]; };
layout(set = 0, binding = 3) buffer Y { uint y[]; };

#ifdef TABLES
#include "result_tables.glsl"
#else
ivec4 looked_up(uint table, ivec4 results) { return results; }
#endif
#include "grid.glsl"
#include "depthwise_tile.glsl"
#include "elements.glsl"
#include "integers.glsl"
#include "integer_products.glsl"

const uint kStored = kStore & 3u;
#include "integer_results.glsl"
#include "two_ends.glsl"
const uint kRuns = 64u / kSlices;  // of places, that a group sums up at once
shared ivec4 results[kPlaces];     // less their zero point
shared ivec4 parts[kSlices > 1u ? 64u * kTilePixels : 1u];  // by slice and place
shared ivec4 window[kTapsMax];

// Output channels o to o + 3; the last one again where there are fewer.
uvec4 channels_from(uint o) { return min(o + uvec4(0u, 1u, 2u, 3u), uvec4(parameter(kOutputs) - 1u)); }

ivec4 inner_results(ivec4 sums, Ends ends) {
  Limits limits =
      Limits(int(parameter(kInnerOutputZero)), int(parameter(kInnerLow)), int(parameter(kInnerHigh)));
  return looked_up(0u, results_of(sums, ends, kInnerRounding, limits)) - int(parameter(kInnerZero));
}

ivec4 taps_of(uint tap, uint o) {
  uint row = tap / parameter(kKernel + 1u);
  uint at = parameter(kTapsSkip) + row * parameter(kTapsStrides) +
            (tap - row * parameter(kKernel + 1u)) * parameter(kTapsStrides + 1u);
  ivec4 numbers;
  if (kWordsTaps) {
    numbers = numbers_of(kTypeTaps, taps[(at + o) >> 2]);
  } else {
    uvec4 each = at + channels_from(o) * parameter(kTapsStrides + 2u);
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
      numbers[i] = number_of(kTypeTaps, taps[word_at(kTypeTaps & 3u, each[i])], each[i]);
    }
  }
  return numbers - int(parameter(kTapsZero));
}

// Sets the sums of a slice of the input channels, of the places of x at x_at.
void add_products(out ivec4 sums[kTilePixels], uint x_at[kTilePixels], uint o, uint slice) {
  uint channels = parameter(kChannels);
  uvec4 w_at = parameter(kWSkip) + channels_from(o) * parameter(kWStrides);
  bool whole = kWords != kBytes;  // words are multiplied as they are stored
  int x_zero = int(parameter(kXZero)) - (whole ? moved_by(kTypeX) : 0);
  int w_zero = int(parameter(kWZero)) - (whole ? moved_by(kTypeW) : 0);
  int x_sums[kTilePixels];
  ivec4 w_sums = ivec4(0);
  int added = 0;
  [[unroll]] for (uint j = 0u; j < kTilePixels; ++j) {
    sums[j] = ivec4(0);
    x_sums[j] = 0;
  }
  if (kWords == kVectorsOfRuns) {
    for (uint c = 16u * slice; c < channels; c += 16u * kSlices) {
      uvec4 w_0 = w4[(w_at.x + c) >> 4], w_1 = w4[(w_at.y + c) >> 4];
      uvec4 w_2 = w4[(w_at.z + c) >> 4], w_3 = w4[(w_at.w + c) >> 4];
      uvec4 v[kTilePixels];
      [[unroll]] for (uint j = 0u; j < kTilePixels; ++j) v[j] = x4[(x_at[j] + c) >> 4];
      FOR_WORDS (uint i = 0u; i < 4u; ++i) {
        uvec4 words = uvec4(w_0[i], w_1[i], w_2[i], w_3[i]);
        [[unroll]] for (uint j = 0u; j < kTilePixels; ++j) {
          sums[j] += products_of_four(v[j][i], words);
          if (w_zero != 0) x_sums[j] += sum_of_x(v[j][i]);
        }
        if (x_zero != 0) w_sums += sums_of_four(words);
      }
      added += 16;
    }
  } else if (kWords == kWordsOfRuns) {
    for (uint c = 4u * slice; c < channels; c += 4u * kSlices) {
      uvec4 words = uvec4(w[(w_at.x + c) >> 2], w[(w_at.y + c) >> 2], w[(w_at.z + c) >> 2], w[(w_at.w + c) >> 2]);
      uint v[kTilePixels];
      [[unroll]] for (uint j = 0u; j < kTilePixels; ++j) v[j] = x[(x_at[j] + c) >> 2];
      [[unroll]] for (uint j = 0u; j < kTilePixels; ++j) {
        sums[j] += products_of_four(v[j], words);
        if (w_zero != 0) x_sums[j] += sum_of_x(v[j]);
      }
      if (x_zero != 0) w_sums += sums_of_four(words);
      added += 4;
    }
  } else {
    for (uint c = slice; c < channels; c += kSlices) {
      uvec4 at = w_at + c * parameter(kWStrides + 1u);
      ivec4 factors = ivec4(w_number(at.x), w_number(at.y), w_number(at.z), w_number(at.w)) - w_zero;
      [[unroll]] for (uint j = 0u; j < kTilePixels; ++j) {
        sums[j] += (x_number(x_at[j] + c * parameter(kXStrides + 1u)) - x_zero) * factors;
      }
    }
  }
  if (whole) {
    [[unroll]] for (uint j = 0u; j < kTilePixels; ++j) {
      sums[j] -= x_zero * w_sums + w_zero * (x_sums[j] - added * x_zero);
    }
  }
}

void compute_results(Tile tile, Reach rows, Reach columns) {
  uint local = gl_LocalInvocationID.x;
  uint slice = local % kSlices;
  uint run = local / kSlices;
  uint count = rows.count * columns.count;
  uvec2 strides = uvec2(parameter(kXStrides + 2u), parameter(kXStrides + 3u));
  uint x_first = parameter(kXSkip) + tile.n * parameter(kXStrides) + rows.first * strides.x + columns.first * strides.y;
  for (uint base = 0u; base < count; base += kRuns * kTilePixels) {
    uint first = base + run * kTilePixels;
    uint x_at[kTilePixels];
    ivec4 sums[kTilePixels];
    find_places(x_at, first, rows, columns, x_first, strides);
    add_products(sums, x_at, tile.o, slice);
    if (kSlices == 1u) {
      [[unroll]] for (uint j = 0u; j < kTilePixels; ++j) {
        if (first + j < count) results[first + j] = sums[j];
      }
    } else {
      [[unroll]] for (uint j = 0u; j < kTilePixels; ++j) {
        parts[slice * kRuns * kTilePixels + run * kTilePixels + j] = sums[j];
      }
      barrier();
      for (uint i = local; i < kRuns * kTilePixels && base + i < count; i += 64u) {
        ivec4 sum = ivec4(0);
        for (uint s = 0u; s < kSlices; ++s) sum += parts[s * kRuns * kTilePixels + i];
        results[base + i] = sum;
      }
      barrier();  // the next turn overwrites the parts
    }
  }
  barrier();
  // Behind all sums, so that the code is there once.
  Ends ends = ends_of(false, tile.o, parameter(kOutputs), parameter(kEndsSkip),
                      uvec2(parameter(kEndsStrides), parameter(kEndsStrides + 1u)));
  for (uint i = local; i < count; i += 64u) results[i] = inner_results(results[i], ends);
}

void main() {
  if (grid_group() >= parameter(kGroups)) return;  // a whole group returns, or nobody waits at a barrier
  Tile tile = tile_of_group(grid_group());
  uint local = gl_LocalInvocationID.x;
  uvec2 kernel = uvec2(parameter(kKernel), parameter(kKernel + 1u));
  if (local < kernel.x * kernel.y) window[local] = taps_of(local, tile.o);
  Reach rows = reach_of(0u, tile.oh, tile.outputs.x);
  Reach columns = reach_of(1u, tile.ow, tile.outputs.y);
  compute_results(tile, rows, columns);
  barrier();

  Ends ends = ends_of(true, tile.o, parameter(kOutputs), parameter(kTapsEndsSkip),
                      uvec2(parameter(kTapsEndsStrides), parameter(kTapsEndsStrides + 1u)));
  Limits limits = output_limits();
  uint y_at = parameter(kYSkip) + tile.n * parameter(kYStrides) + tile.o * parameter(kYStrides + 1u) +
              tile.oh * parameter(kYStrides + 2u) + tile.ow * parameter(kYStrides + 3u);
  for (uint i = local; i < tile.outputs.x * tile.outputs.y; i += 64u) {
    uint row = i / tile.outputs.y;
    uint column = i - row * tile.outputs.y;
    int top = rows.start + int(row * parameter(kStride)) - int(rows.first);
    int left = columns.start + int(column * parameter(kStride + 1u)) - int(columns.first);
    ivec4 sums = ivec4(0);
    for (uint kh = 0u; kh < kernel.x; ++kh) {
      uint h = uint(top + int(kh * parameter(kDilation)));
      if (h >= rows.count) continue;  // before the first counts as large
      for (uint kw = 0u; kw < kernel.y; ++kw) {
        uint v = uint(left + int(kw * parameter(kDilation + 1u)));
        if (v < columns.count) sums += results[h * columns.count + v] * window[kh * kernel.y + kw];
      }
    }
    store_results(looked_up(1u, results_of(sums, ends, kRounding, limits)),
                  y_at + row * parameter(kYStrides + 2u) + column * parameter(kYStrides + 3u),
                  parameter(kYStrides + 1u), parameter(kOutputs) - tile.o);
  }
}
// SPDX-License-Identifier: Apache-2.0
