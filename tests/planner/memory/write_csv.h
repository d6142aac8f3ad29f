// Writes planning problems as CSV, for tests that go through a file.
#pragma once

#include <string>

#include "planner/memory/problem/problem.h"

namespace arenite::memory {

// The problem in all columns that it needs, such that read_csv with its memories gives it again
// (relative buffers on their root). Throws InputError for what no cell can hold: a name that is
// empty, used twice or has a comma, quote, line break or blanks at its ends.
std::string write_csv(const Problem& problem);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
