// Extracts one memory's packing problem from a choice of memories for all items.
#pragma once

#include <cstdint>
#include <span>

#include "planner/memory/pack/pack.h"
#include "planner/memory/problem/check.h"

namespace arenite::memory {

// The packing of some items, by index, in one memory, without a limit.
PackProblem pack_problem_of(const CheckedProblem& problem, std::span<const uint32_t> members,
                            uint32_t memory);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
