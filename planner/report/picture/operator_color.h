// Colors of operators and roles: the same one in every report.
#pragma once

#include <string>
#include <string_view>

namespace arenite::picture {

// "#7fb0e6"; dark text is readable on it. `name` is an operator's or a role's.
std::string operator_color(std::string_view name);

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
