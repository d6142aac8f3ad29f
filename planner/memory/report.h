// What a finished plan uses: peaks by memory, and the worst step over all memories together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/memory/problem.h"

namespace arenite::memory {

struct MemoryUse {
  std::string name;
  uint64_t base = 0;
  uint64_t size_bytes = 0;  // kUnbounded where the memory has no limit
  uint64_t peak_bytes = 0;  // end of the highest buffer placed there
  uint64_t lower_bound_bytes =
      0;                   // most bytes live there at one step: what the peak cannot go below
  uint32_t peak_step = 0;  // the first step at which that many are live
};

struct MemoryReport {
  std::vector<MemoryUse> memories;  // in the problem's order, unused ones too
  uint64_t total_peak_bytes = 0;    // most bytes live at one step over all memories together
  uint32_t total_peak_step = 0;     // the first such step
  uint64_t peak_sum_bytes = 0;      // sum of the peaks: what all arenas take
};

// `solution` must have a placement for each buffer (see verify.h). Throws InputError as `validate`.
MemoryReport make_report(const Problem& problem, const Solution& solution);

// A table for people, one line a memory, then the totals; lines end in '\n'.
std::string to_text(const MemoryReport& report);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
