// Names within messages.
#pragma once

#include <string>
#include <string_view>

namespace arenite {

// "'name'", as it is: for text of ours or of the command line. Names that a file holds may be
// anything: planner/names.h prints those.
inline std::string quote(std::string_view name) { return "'" + std::string(name) + "'"; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
