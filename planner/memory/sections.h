// Cuts time into sections of constant load: the sweep below both the live bytes and the lower
// bound.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/memory/items.h"
#include "planner/memory/problem.h"

namespace arenite::memory {

struct Section {
  uint32_t first = 0;
  uint32_t last = 0;
  uint64_t bytes = 0;        // in use, each buffer's extended to a multiple of the granule
  uint64_t padding_max = 0;  // largest extension among the buffers live here
};

// The sections from the first birth to the last death of the `included` buffers. Members of one
// group (same root) that overlap count once. The granule must divide all offsets inside a group and
// the first bytes of all uses.
std::vector<Section> cut_sections(std::span<const Buffer> buffers, std::span<const Anchor> anchors,
                                  const std::vector<bool>& included, uint64_t granule);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
