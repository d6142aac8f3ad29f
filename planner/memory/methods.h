// Plans the methods of a program together, where values keep their address from one to the next.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/memory/problem.h"

namespace arenite::memory {

// The problems of several methods as one: they never run at the same time, so the steps of each
// follow those of the one before it, and a byte of one method is free for the others.
struct JointProblem {
  Problem problem;
  std::vector<uint32_t> first_buffer;  // of each method, then the number of buffers
  std::vector<uint32_t> first_step;    // of each method
};

// All have the same memories. Throws InputError when there are more than 2^32 steps in all.
JointProblem join_methods(std::span<const Problem> methods);

// Makes what is tied across methods (Buffer::relative) last from one to the next: of a group's
// buffers in a method, the one that dies last lives until the group's first buffer in a later
// method is born. Such a buffer no longer yields its bytes to an output (Problem::overlaps).
void keep_between_methods(JointProblem& joint);

// The placements of each method.
std::vector<Solution> split_methods(const JointProblem& joint, const Solution& solution);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
