// What counts of a step's size share.
#pragma once

#include <span>

#include "planner/graph/step_size.h"

namespace arenite::planner {

inline double& term(StepSize& size, SizeTerm which) { return size[static_cast<size_t>(which)]; }

inline double elements_in(std::span<const uint32_t> dims) {
  double all = 1;
  for (const uint32_t dim : dims) all *= dim;
  return all;
}

// Of convolutions and pools of pictures: lines, rows and what windows read. kStep, kUnit and
// kResult are there already.
void add_window_terms(const StepFacts& step, StepSize& size);

// Lines that are walked where elements of x and y do not lie together: a long dim is walked inside
// of a short one along which x strides further.
double lines_apart(const OperandFacts& x, const OperandFacts& y);

// Of steps that only move elements: lines, and elements that lie apart.
void add_move_terms(const StepFacts& step, StepSize& size);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
