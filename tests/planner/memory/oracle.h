// The best plan of a tiny problem, found by trying all plans.
#pragma once

#include <cstdint>
#include <optional>

#include "planner/memory/problem/problem.h"

namespace arenite::memory {

// The least sum over the memories of the end of the highest buffer; nothing where no plan fits. At
// most a handful of buffers of a handful of bytes and steps: every placement of each is tried, and
// what shares bytes is found byte by byte and step by step. The base of a relative comes before it.
std::optional<uint64_t> least_height(const Problem& problem);

// The least bytes x (reads + writes) outside the first memory.
std::optional<uint64_t> least_slow_traffic(const Problem& problem);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
