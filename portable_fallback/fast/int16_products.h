// Describes products of 16-bit activations and 8-bit weights to kernels, and how their sums become
// results of 16 bits. Zero points of x and w are 0.
//
// A product is at most 2^22 in magnitude, so kInt16ChunkDepth of them are a sum of 32 bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"

namespace arenite {

// Products that a sum of 32 bits holds, an even number of vectors of them.
inline constexpr uint32_t kInt16ChunkDepth = 496;

// Describes the sums of products and how they become results.
enum class Int16Sums : uint8_t {
  kSmall,     // 64 bits, of which 32 are enough: the factor is rounded to 16 bits
  kWide,      // 64 bits; `finish` makes results of them
  kWrapping,  // 32 bits, which wrap; results are rounded twice
  kAny,       // the same with results by `finish`
};

struct Int16Results {
  // Each output has its own, or with a step of 0 one serves all. Biases are int64 where sums have
  // 64 bits.
  const int64_t* wide_bias;
  const int32_t* bias;
  const int32_t* multipliers;
  const int8_t* shifts;
  size_t bias_step, factor_step;  // elements; multipliers and shifts have the same
  int32_t zero_point, low, high;
  Int16Sums sums;
  uint32_t rounding;
  // The result of a sum of any kind: kernels see no such code.
  int32_t (*finish)(const Int16Results& results, int64_t sum, uint32_t output);

  bool is_wide() const { return sums == Int16Sums::kSmall || sums == Int16Sums::kWide; }
  int64_t bias_of(uint32_t output) const {
    const size_t at = output * bias_step;
    return is_wide() ? wide_bias[at] : int64_t{bias[at]};
  }
  // The lower half.
  int32_t low_bias_of(uint32_t output) const { return static_cast<int32_t>(bias_of(output)); }
};

struct Int16Products {
  Src<int16_t> x;      // [in_h, in_w, channels], with the strides below
  const std::byte* w;  // int8, in the blocks that a kernel reads; depthwise by strides
  Dst<int16_t> y;      // [line, place, columns]
  // Memory of the thread's own, for what a kernel makes of x.
  uint32_t* rows;
  // Strides in elements.
  size_t x_h, x_w, x_c;
  size_t y_h, y_w, y_c;
  size_t w_h, w_w;  // depthwise: between taps
  uint32_t in_h, in_w, out_w;
  uint32_t kernel_h, kernel_w;
  uint32_t stride_h, stride_w;
  uint32_t dilation_h, dilation_w;
  uint32_t pad_h, pad_w;  // above and to the left
  uint32_t channels, columns;
  uint32_t columns_of_channel;  // depthwise: how many neighbors each read the same channel
  bool joined;                  // the taps of a line of a window are neighbors in x
  bool in_place;    // there is one place, whose numbers are neighbors in x: they are read there
  int32_t outside;  // what a tap beside x counts
  Int16Results results;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
