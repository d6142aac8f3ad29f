// Turns a variant into a problem of memory planning, and the problem's solution into arenas.
#pragma once

#include <cstdint>

#include "planner/board/board.h"
#include "planner/memory/report.h"
#include "planner/steps/schedule/schedule.h"

namespace arenite::planner {

inline constexpr uint64_t kArenaBytesMax = 0xffffff00u;  // offsets are stored in 32 bits

// A buffer for each storage, whose lifetimes are set. A CPU variant has the board's memories,
// fastest first; a Vulkan variant one for the device and one for each direction. States, and what
// the caller lends, take no byte of these.
memory::Problem problem_of(const Schedule& plan, const Board& board);

// Arena and offset of each storage: arenas of the memories that hold something, each as large as
// its peak, then that of the states, then those of the caller.
void apply(Schedule& plan, const Board& board, const memory::Problem& problem,
           const memory::Solution& solution, const memory::MemoryReport& report);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
