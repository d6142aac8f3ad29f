// Describes integer products of places that read taps of their own: those of groups of channels,
// and those of a transposed convolution, whose outputs that lie a stride apart are an ordinary one
// with some of the taps.
//
// Products are numbered by k = tap * channels + channel, as a row of the weights has them. Those of
// a place are runs of the same length, which need not follow each other in the row.
#pragma once

#include "core/access.h"
#include "portable_fallback/fast/integer_results.h"

namespace arenite {

// The taps of a place along one axis.
struct TapAxis {
  uint32_t taps;   // of a place
  int32_t first;   // where tap 0 of the first place of a line lies in x, or beside it
  int32_t step;    // from tap to tap
  uint32_t input;  // positions of x
  size_t x_step;   // elements of x between positions
};

// Runs of products of a row of the weights, in the order of taps.
struct TapRuns {
  uint32_t first;     // number of the first product
  uint32_t length;    // of a run, in products
  uint32_t count[3];  // of runs along each axis
  uint32_t step[3];   // products from one to the next
};

struct IntegerTaps {
  Src<std::byte> x;    // an image of int8 or uint8, or of int16
  const std::byte* w;  // int8, in the blocks that a kernel reads
  Dst<int8_t> y;       // the first place of a line; uint8 and int16 too
  // Memory of the thread's own, for what a kernel makes of x.
  uint32_t* rows;
  size_t x_c, y_c, y_w;  // elements between channels of x, columns of y, and places of a line
  TapAxis axes[3];       // the last one's places lie `advance` positions apart
  uint32_t advance;
  TapRuns runs;
  uint32_t groups, channels, columns;  // channels of x and columns are those of a group
  uint32_t depth;                      // products of a row of the weights
  uint32_t flip;                       // of uint8 the bits that make them int8: 0x80808080
  int32_t added;                       // to each int8 of x: what its zero point is below 0
  int32_t outside;                     // what a tap beside x counts
  int32_t w_zero_point;                // of all weights
  IntegerResults results;              // of 8 bits
};

namespace {

// Calls run(k) with the first product of each run.
template <typename Run>
[[gnu::always_inline]] inline void for_runs(const TapRuns& runs, const Run& run) {
  uint32_t of_d = runs.first;
  for (uint32_t d = runs.count[0]; d != 0; --d, of_d += runs.step[0]) {
    uint32_t of_h = of_d;
    for (uint32_t h = runs.count[1]; h != 0; --h, of_h += runs.step[1]) {
      uint32_t k = of_h;
      for (uint32_t v = runs.count[2]; v != 0; --v, k += runs.step[2]) run(k);
    }
  }
}

inline uint32_t count_of(const TapRuns& runs) {
  return runs.count[0] * runs.count[1] * runs.count[2];
}

// Calls inside(x) for each tap of a place that lies in x, with a group's first channel, and
// outside() for each that lies beside it, in the order of the weights. T is as wide as x's
// elements.
template <typename T = std::byte, typename Inside, typename Outside>
[[gnu::always_inline]] inline void for_taps(const IntegerTaps& p, uint32_t group, uint32_t place,
                                            const Inside& inside, const Outside& outside) {
  const TapAxis &depth = p.axes[0], &height = p.axes[1], &width = p.axes[2];
  const Src<T> x = as<T>(p.x) + group * p.channels * p.x_c;
  const int32_t left = width.first + static_cast<int32_t>(place * p.advance);
  int32_t id = depth.first;
  for (uint32_t d = depth.taps; d != 0; --d, id += depth.step) {
    int32_t ih = height.first;
    for (uint32_t h = height.taps; h != 0; --h, ih += height.step) {
      const bool has =
          static_cast<uint32_t>(id) < depth.input && static_cast<uint32_t>(ih) < height.input;
      const size_t row =
          has ? static_cast<uint32_t>(id) * depth.x_step + static_cast<uint32_t>(ih) * height.x_step
              : 0;
      int32_t iw = left;
      for (uint32_t v = width.taps; v != 0; --v, iw += width.step) {
        if (has && static_cast<uint32_t>(iw) < width.input) {
          inside(x + (row + static_cast<uint32_t>(iw) * width.x_step));
        } else {
          outside();
        }
      }
    }
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
