// What a simulated board's CPU has, and which of its memories hold arenas.
#pragma once

#include <string>

#include "core/program.h"
#include "planner/board/board.h"
#include "tools/run/program_file.h"

namespace arenite::tools {

// The features of the board's variants, of those with Vulkan or of the others, as far as this
// machine has code for their forms.
CpuFeatures simulated_features(const planner::Board& board, bool with_vulkan);

// The name of the arena's memory. Throws InputError where the board lacks it, or the arena does not
// fit.
std::string check_arena(const ProgramFile& file, const Program& program,
                        const format::ArenaRecord& arena, const planner::Board& board);

// The name of the memory that holds the constants of programs.
std::string program_memory(const planner::Board& board);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
