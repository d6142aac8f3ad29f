// Declares the helpers with which the files that measure a step's size fill its terms.
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

// Fills lines, rows and what windows read, for convolutions and pools of pictures. kStep, kUnit and
// kResult are there already.
void add_window_terms(const StepFacts& step, StepSize& size);

// Lines that are walked where elements of x and y do not lie together: a long dim is walked inside
// of a short one along which x strides further.
double lines_apart(const OperandFacts& x, const OperandFacts& y);

// Counts lines and elements that lie apart, for steps that only move elements.
void add_move_terms(const StepFacts& step, StepSize& size);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
