// A line of a resized image whose elements lie side by side: first the lines that it reads are
// added up, then their columns. Or columns are moved, without weights.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenite {

struct FloatResizeLine {
  const float* x;  // of the first line that it reads, column 0
  uint32_t columns;
  size_t x_column;                // elements between columns of x
  size_t x_outer[2];              // elements between the lines of each outer axis
  uint32_t outer_taps[2];         // lines along each; 1 without an axis
  const float* outer_weights[2];  // [outer_taps], or null: one of 1
  float* sums;                    // [columns]: memory for the sums of lines
  float* y;                       // [places]
  const int32_t* firsts;          // [places]: columns; below 0 a place lies outside
  const float* weights;           // [places][taps], or null: all taps are 1
  uint32_t places, taps;
  float outside;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
