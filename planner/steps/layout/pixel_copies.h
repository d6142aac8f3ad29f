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

// What is worth a copy, on some machine.
struct PixelGains {
  bool floats = true;     // forms of floats have vectors
  bool depthwise = true;  // a form of depthwise convolutions of floats takes pixels alone
  // Forms of 8-bit integers are the CPU's, which gather windows byte by byte where their channels
  // are apart.
  bool images_of_bytes = true;
  bool results = true;       // any result
  bool stores_bytes = true;  // forms store vectors of 8-bit results: not only own windows' gain
};

// A model's inputs and outputs lie in planes, and so does what a matrix product or a reshape has
// written. Vectors of a host's forms hold the neighboring channels of a pixel. So in planes of many
// channels a convolution or a pool is left to a reference, or gathers and scatters numbers one by
// one, which takes many times the time of a copy. The few channels of an image of floats stay as
// they are, but where each of them has windows of its own; those of bytes are copied.
PixelCopies copy_planes_to_pixels(const LaidGraph& laid, const PixelGains& gains = {});

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
