// Random planning problems with every kind of constraint, the same for the same seed everywhere.
#pragma once

#include <cstdint>

#include "planner/memory/problem/problem.h"

namespace arenite::memory {

// Up to 40 buffers in up to 3 memories: alignments, barred memories, fixed buffers, views and
// chains of views, gaps, empty buffers, reads and writes, overlaps. `validate` accepts it; it may
// be too large for its memories.
Problem random_problem(uint32_t seed);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
