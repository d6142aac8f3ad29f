// Copies constants that a step reads again and again into what is left free of the fastest memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/steps/lower/constants.h"
#include "planner/steps/schedule/schedule.h"

namespace arenite::planner {

// About how many times one run of a step reads each byte of its constant input `i` on the CPU: a
// convolution's weights once a pixel, a matrix once a row, a broadcast operand once a repetition.
uint64_t reads_of_constant(const ScheduledStep& step, uint32_t i);

struct NearConstants {
  std::string memory;
  uint32_t copies = 0;
  uint64_t copied_bytes = 0;      // in one run: read where the constants lie, written to `memory`
  uint64_t near_bytes = 0;        // at most, that the run then reads in `memory` instead
  std::vector<uint32_t> offsets;  // in it, of the storages put behind those there were
};

// `plan` is a CPU variant with every storage placed. Puts a copy step right before each step that
// reads a constant more than twice, where a gap of `memory` holds it at that step; those that save
// most reads first. Nothing that was placed moves, and no storage lives longer. Lifetimes and
// arenas must be set again.
NearConstants copy_constants_near(Schedule& plan, const std::string& memory, uint64_t memory_bytes,
                                  uint32_t alignment, const ConstantPool& pool,
                                  const TargetForms& forms);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
