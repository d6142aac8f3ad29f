// Lowers a laid-out graph to steps as programs store them, before anything is placed.
#pragma once

#include <cstdint>

#include "planner/board/board.h"
#include "planner/steps/layout/layout.h"
#include "planner/steps/lower/constants.h"
#include "planner/steps/schedule/schedule.h"

namespace arenite::planner {

// Gives each step dims and strides (planner/graph/operands.h) and a form, packs constants into
// `pool` as the board likes them and the form reads them, and asks the form for scratch and
// over-read. Throws InputError where a value is too large for the format or there is no form for a
// step.
Schedule lower(const Graph& graph, const Board& board, const TargetForms& forms,
               ConstantPool& pool);
// The same from a layout of the graph; storages are its owners.
Schedule lower(const Graph& graph, const LaidGraph& laid, const Board& board,
               const TargetForms& forms, ConstantPool& pool);

// A step that copies from one operand to another, bytes as they are.
ScheduledStep copy_step(const Operand& from, const Operand& to, const TargetForms& forms);

// Bytes that an operand's elements span, over-read included. Constants and packed weights span all
// their bytes.
uint64_t operand_bytes(const Operand& operand, const ConstantPool& pool);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
