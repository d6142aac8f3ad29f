// Adds depthwise products of lines of one place with Arm's MVE.
#pragma once

#include "portable_fallback/fast/integer_place.h"

namespace arenite {

inline constexpr uint32_t kPlaceMveColumns = 32;  // that are computed at once

// Computes a line: reads all that so many columns need of x, then writes them. Results are rounded
// twice, or any way.
void add_place_mve(const PlaceProducts& place, uint32_t line);
void add_place_once_mve(const PlaceProducts& place, uint32_t line);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
