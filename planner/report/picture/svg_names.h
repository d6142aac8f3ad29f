// Names in rectangles of an SVG: where there is room beside what is shared with others.
#pragma once

#include <string>

#include "planner/report/picture/svg_elements.h"

namespace arenite::picture {

// Writes the name into `room`, shortened to it: across, with `details` below if there is room for
// all of them, or upright in a narrow, high room. Nothing if there is room for a few letters only.
std::string name_svg(const Rectangle& room, const std::string& name, const std::string& details);

// The part of `room` to one side of `taken` that suits a name best.
Rectangle beside(const Rectangle& room, const Rectangle& taken);

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
