// Adds depthwise products of lines of one place with Arm's DSP extension.
#pragma once

#include "portable_fallback/fast/integer_place.h"

namespace arenite {

inline constexpr uint32_t kPlaceDspColumns = 4;  // that are computed at once

// Computes a line: reads all that four columns need of x, then writes them. Results are rounded
// twice, or any way.
void add_place_dsp(const PlaceProducts& place, uint32_t line);
void add_place_once_dsp(const PlaceProducts& place, uint32_t line);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
