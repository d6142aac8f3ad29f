// What the steps of a program take on a board, by the costs that its file has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/step.h"
#include "planner/board/board.h"
#include "planner/graph/step_size.h"

namespace arenite::tools {

// What a step's time follows from.
planner::StepFacts facts_of(const Step& step);

// Microseconds of a step by a form, named as in tables ("Conv.float32"); nothing where the board
// has no cost of it.
std::optional<double> predicted_us(const planner::Board& board, const Step& step,
                                   const std::string& form);

// The same of a copy of so many bytes between CPU and device; nothing where the board has no costs.
std::optional<double> predicted_transfer_us(const planner::Board& board, uint64_t bytes);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
