// Reads the text of a `.cases` file into its cases (README.md has the words).
#pragma once

#include <string>
#include <string_view>

#include "tests/planner/cases/case.h"

namespace arenite::planner::cases {

// Throws InputError "path:line: ..." for a word that is unknown, a case that expects nothing or
// that has a name of one before it, and a name of a case that is not there.
CaseFile parse_cases(const std::string& path, std::string_view text);

}  // namespace arenite::planner::cases
// SPDX-License-Identifier: Apache-2.0
