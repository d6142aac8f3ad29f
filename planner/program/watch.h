// Changes a program so that what its device steps write can be read after the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/program.h"

namespace arenite::planner {

// A value that a step writes, whole or a part of a storage.
struct Written {
  uint32_t value = 0;
  uint32_t step = 0;
};

struct WatchedProgram {
  std::vector<std::byte> program;  // one method with one variant
  std::vector<uint32_t> copies;    // by what is watched: the value that keeps its copy
  // For each step of the new variant: the step of the old one, or kNoIndex for one that is new.
  std::vector<uint32_t> old_steps;
};

// The Vulkan variant (relative to its method) with a transfer behind each step of `watched`, which
// copies what it wrote to readback memory where it stays to the end of the run. Steps, their places
// in memory and their order remain; every device step waits for the one before. `watched` is in
// the order of steps, which are device steps. Throws InputError where a copy has no room: more
// than 4 GiB of them, or no place for another arena.
WatchedProgram watch(const Program& program, uint32_t method, uint32_t variant,
                     std::span<const Written> watched);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
