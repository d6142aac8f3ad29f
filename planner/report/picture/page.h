// Writes plans as one self-contained HTML page: a picture to zoom and search, and tables.
#pragma once

#include <span>
#include <string>

#include "planner/report/picture/section.h"

namespace arenite::picture {

// The page fetches nothing, runs from a file, and is the same for the same plans.
std::string to_html(const Heading& heading, std::span<const Section> sections);

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
