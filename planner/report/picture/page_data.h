// Data for the page's scripts: plans as JSON that may stand in a page.
#pragma once

#include <span>
#include <string>

#include "planner/report/picture/section.h"

namespace arenite::picture {

// One object in ASCII without '<', '>' and '&', whatever the names hold;
// planner/report/picture/page/plan.js reads it. Numbers above 2^53, which scripts cannot hold, are
// strings of digits.
std::string page_data(const Heading& heading, std::span<const Section> sections);

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
