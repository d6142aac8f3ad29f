// How many bytes are live at each step, and the height below which no plan can go. Problems are as
// `validate` accepts them.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/memory/problem.h"

namespace arenite::memory {

// Consecutive steps, both ends included, during which the same number of bytes is live.
struct LiveSpan {
  uint32_t first = 0;
  uint32_t last = 0;
  uint64_t bytes = 0;
};

// Live bytes at each step from the first birth to the last death, in order, without holes in time.
// Bytes shared by a buffer and the buffers relative to it count once, and so do those that
// Problem::overlaps may save at a step; of a buffer in a gap counts what stays in use.
std::vector<LiveSpan> live_spans(const Problem& problem);

// The same for the buffers that a solution put into one memory.
std::vector<LiveSpan> live_spans_in(const Problem& problem, const Solution& solution,
                                    uint32_t memory);

// The first span with the most bytes; zero bytes at step 0 when there are no spans.
LiveSpan largest(const std::vector<LiveSpan>& spans);

// Buffers in `memory` that hold data at `step`, with the bytes in use then, most first; one that
// lies within its live root is left out, as it holds no bytes of its own.
std::vector<LiveBuffer> live_buffers_in(const Problem& problem, const Solution& solution,
                                        uint32_t memory, uint32_t step);

// A height, in bytes, that every plan reaches: the sum over the memories of (end of the highest
// buffer). It is the most bytes live at one step; with a single memory each size is rounded up to
// the granule all offsets share, less the padding of the one buffer that may lie on top; fixed
// buffers count with their ends, and each group is as long as it is, whatever its gaps.
uint64_t lower_bound(const Problem& problem);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0
