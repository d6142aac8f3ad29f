// The state that a backend keeps for one variant: arrays of exact size inside memory of the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/program.h"
#include "kernels/dispatch/dispatch.h"
#include "vk/memory.h"
#include "vk/shared_constants.h"
#include "vk/task.h"

namespace arenite::vk {

// A compute pipeline, identified by what it was made from; or a place for one, without a handle and
// not in use.
struct Pipeline {
  VkPipeline handle;
  Shader shader;
  uint32_t hash;  // of shader and specialization, to compare fast
  uint32_t spec_count;
  uint32_t spec[kMaxSpecWords];
  bool in_use;  // some dispatch of the sizes that are set runs it
};

// Commands recorded for the device steps [first, last).
struct Stretch {
  VkCommandBuffer commands;
  uint32_t first, last;
  uint32_t dispatches;         // recorded
  uint32_t first_tick, ticks;  // timestamps.h; none are taken as a rule
  bool empty;                  // nothing to submit: only views and transfers that were left out
};

struct State {
  std::span<Buffer> arenas;          // of the variant; empty buffers for host arenas
  std::span<ConstantUse> constants;  // of the program
  std::span<Pipeline> pipelines;     // as many as the variant announces; some may be free
  std::span<Stretch> stretches;
  Buffer parameters;  // the blocks of all dispatches, in order
  Buffer flags;       // the flags of all dispatches that have one, in order (flags.h)
  // For each value of the variant: the value whose bytes stand in for its own, or kNoIndex
  // (elide.h).
  std::span<uint32_t> moved;
};

// Bytes of memory the backend needs for a variant, from the counts that its records announce. 0
// when these counts cannot be true.
size_t state_bytes(const Program& program, const format::VariantRecord& variant);

// Lays the arrays of a task out in `memory` (8-aligned) and clears them. kBadPlan for counts that
// cannot be true, kArenaTooSmall, kBadAlignment.
Status lay_out_state(const Task& task, std::span<std::byte> memory, State& state);

}  // namespace arenite::vk
// SPDX-License-Identifier: Apache-2.0
