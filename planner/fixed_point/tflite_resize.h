// Weights with which TensorFlow Lite's kernels interpolate integers along one side of an image.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.h"

namespace arenite::planner::tflite {

// Maps places of the result to the input: first to first and last to last; or both sides are cut
// into as many parts, whose centers (else beginnings) correspond.
struct ResizeGrid {
  bool align_corners = false, half_pixel_centers = false;
};

// Taps in the form of resize: place o is the sum of weights[o * taps + t] * x[firsts[o] + t] over 2
// to the fraction bits.
struct IntegerTaps {
  uint32_t taps = 1, fraction_bits = 0;
  std::vector<int32_t> firsts;
  std::vector<int16_t> weights;
};

// The weights of the reference kernels (int8, int16) have 10 bits, and so has the step between
// places. LiteRT's (uint8) have 11 bits, and a float32 step. `input`, `output`: from 1 to 2^20.
IntegerTaps integer_taps(const ResizeGrid& grid, DType type, uint32_t input, uint32_t output);

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
