// Links between rows of a problem's CSV: groups that keep their distances, and overlaps.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "planner/memory/problem/problem.h"

namespace arenite::memory {

// The cells of one row that other rows matter to.
struct Links {
  std::size_t row = 0;        // in the file
  std::string_view group;     // empty: in no group
  uint64_t rel_offset = 0;    // bytes from the group's origin
  std::string_view overlaps;  // space-separated OUTPUT_ID:LEAD
};

// Sets Buffer::relative and Problem::overlaps, and moves fixed placements of a group's buffers to
// its base; `links` has one entry a buffer. Throws InputError with the row at which they
// contradict.
void link_buffers(Problem& problem, std::span<const Links> links, std::string_view file_name);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
