// Copies planes of several channels to pixels, and back, around the convolutions and pools that
// read and write them.
#pragma once

#include <cstdint>

#include "planner/steps/layout/layout.h"

namespace arenite::planner {

struct PixelCopies {
  LaidGraph laid;
  uint32_t copies = 0;
};

// A model's inputs and outputs lie in planes, and so does what a matrix product or a reshape has
// written. Vectors of a host's forms hold the neighboring channels of a pixel. So in planes of many
// channels a convolution or a pool is left to a reference, or gathers and scatters numbers one by
// one, which takes many times the time of a copy. The few channels of an image stay as they are,
// but where each of them has windows of its own.
PixelCopies copy_planes_to_pixels(const LaidGraph& laid);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
