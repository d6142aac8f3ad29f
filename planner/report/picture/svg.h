// Draws plans as one SVG that stands alone: title, what does not fit, scales, legend, no script.
#pragma once

#include <span>
#include <string>

#include "planner/report/picture/section.h"

namespace arenite::picture {

// Offset against time, for each section a panel for each memory that holds something, one below the
// other. Each rectangle's <title>, shown when the mouse is over it, has name, size, place and
// steps. Follows the reader's preference for light or dark ground.
std::string to_svg(const Heading& heading, std::span<const Section> sections);

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
