// How TensorFlow Lite's kernels interpolate integers along one side of an image.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.h"

namespace arenite::planner::tflite {

// Where places of the result lie: first and last on the input's; or both cut into as many parts,
// whose centres (else beginnings) correspond.
struct ResizeGrid {
  bool align_corners = false, half_pixel_centers = false;
};

// As resize has them: place o is the sum of weights[o * taps + t] * x[firsts[o] + t] over 2 to the
// fraction bits.
struct IntegerTaps {
  uint32_t taps = 1, fraction_bits = 0;
  std::vector<int32_t> firsts;
  std::vector<int16_t> weights;
};

// Of the reference kernels (int8, int16): 10 bits, the step between places rounded to them; of
// LiteRT (uint8) 11 bits, the step a float32. `input`, `output`: from 1 to 2^20.
IntegerTaps integer_taps(const ResizeGrid& grid, DType type, uint32_t input, uint32_t output);

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0
