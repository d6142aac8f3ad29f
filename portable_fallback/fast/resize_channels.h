// Describes a line of a resized image whose channels are neighbors to kernels, which first add up
// the lines that it reads, then the columns of each place:
//
//   sums[column] = sum of outer_weights[a] * x[a][column]
//   y[place]     = sum of weights[b] * sums[first + b]
//
// Sums of bytes are of 32 bits and wrap; each is divided by 2^fraction_bits, halves away from zero.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenite {

// The sums are followed by room for a vector of any kind.
inline constexpr uint32_t kChannelSumsMore = 16;

enum class ChannelType : uint8_t { kFloat, kInt8, kUint8 };

struct ResizeChannels {
  ChannelType type;
  const std::byte* x;         // of the first line that it reads, column 0
  size_t x_step, x_outer;     // elements between columns, and between lines
  uint32_t columns;           // of x
  uint32_t channels;          // that are neighbors in x and y
  uint32_t outer_taps, taps;  // lines, and columns of a place
  const void* outer_weights;  // [outer_taps], float or int16; null: one of 1
  const void* weights;        // [places][taps], the same; null: elements are moved
  const int32_t* firsts;      // [places]: columns; below 0 a place lies outside
  std::byte* y;
  size_t y_step;  // elements between places
  uint32_t places;
  uint32_t* sums;  // [columns * channels + kChannelSumsMore]: memory for sums of 32 bits
  uint32_t fraction_bits;
  uint32_t outside;  // its low bits
  bool all_outside;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
