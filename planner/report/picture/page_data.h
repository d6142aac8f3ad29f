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

// The data within a page that to_html() made. Throws InputError, which begins with `name`, where
// there are none, or they are those of another version of the page.
std::string data_of_page(const std::string& page, const std::string& name);

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
