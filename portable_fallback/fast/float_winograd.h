// Describes Winograd convolutions to kernels: the convolution as products of floats, and the memory
// for its parts.
//
// F(4x4, 3x3): a tile of 4 by 4 places is computed from 6 by 6 inputs, which are transformed, and
// multiplied by transformed weights in 36 matrix products over the channels; their sums are
// transformed to the places: 36 products a channel in place of 144. Lavin and Gray, "Fast
// algorithms for convolutional neural networks", 2015 (arXiv 1509.09308). The points are 0, the
// square roots of 1/2 and of 2 with both signs, and infinity: errors are about twice those of the
// plain sums, a third of what the points 1 and 2 give.
#pragma once

#include "portable_fallback/fast/float_matrices.h"
#include "portable_fallback/fast/float_products.h"

namespace arenite {

inline constexpr uint32_t kWinogradOutputs = 4;    // of a tile along an axis
inline constexpr uint32_t kWinogradInputs = 6;     // that they are computed from
inline constexpr uint32_t kWinogradProducts = 36;  // of a tile for each channel
inline constexpr uint32_t kWinogradColumns = 32;   // whose weights are transformed at once, at most
inline constexpr uint32_t kWinogradChannels = 32;  // the same, where no other tiles share them
inline constexpr uint32_t kWinogradTiles = 28;     // whose sums are kept at once, at most

struct FloatWinograd {
  const FloatProducts& p;  // x_c and y_c are 1, and the stride and dilation; 3 by 3 taps
  uint32_t out_h;
  uint32_t tiles_w;  // in a line
};

// A matrix for each of the 36 products: `between` floats from one to the next.
struct WinogradMatrices {
  float* data;
  size_t row;  // floats between rows
  size_t between;
};

// The floats from one matrix of so many rows to the next. They are an odd number of 64 bytes, or
// matrices would share few sets of a cache.
constexpr size_t winograd_matrix_floats(size_t rows, size_t row) {
  constexpr size_t kUnit = 16;
  return ((rows * row + kUnit - 1) / kUnit | 1) * kUnit;
}

// Columns of the result, and the channels whose weights for them are transformed.
struct WinogradStrip {
  uint32_t column, columns;
  uint32_t channel, channels;
};

// The kernel of one instruction set.
struct WinogradKernel {
  // v: [tile - first][channel] of the tiles [first, end), all channels. A row has room for
  // channels up to a multiple of 16.
  void (*transform_inputs)(const FloatWinograd& conv, uint32_t first, uint32_t end,
                           const WinogradMatrices& v);
  // u: panels of 16 columns, [channel][16] each, that follow each other: as many as hold the
  // strip's columns.
  void (*transform_weights)(const FloatWinograd& conv, const WinogradStrip& strip,
                            const WinogradMatrices& u);
  // m: [tile - first][column] of the tiles [first, end), 32 at most, and a strip of one panel.
  // Stores their results, but for tiles of which a sum is not finite: returns a bit for each.
  uint32_t (*transform_sums)(const FloatWinograd& conv, uint32_t first, uint32_t end,
                             const WinogradStrip& strip, const WinogradMatrices& m);
  void (*add_matrices)(const FloatMatrices& matrices);
  void (*add)(const FloatProducts& products, const FloatRange& range);
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
