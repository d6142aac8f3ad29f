// One variant of a method while it is planned: steps with the machine that runs each, and the bytes
// they work on, first without and later with a place in an arena.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/format.h"
#include "kernels/dispatch/dispatch.h"
#include "planner/steps/lower/lower.h"

namespace arenite::planner {

// The largest minStorageBufferOffsetAlignment and nonCoherentAtomSize a device may have.
inline constexpr uint32_t kDeviceAlignment = 256;

// Steps during which a resident's bytes are needed, both ends included.
struct LiveSteps {
  uint32_t first = 0;
  uint32_t last = 0;
};

// Bytes in an arena: a storage, its copy on the other side of the bus, or a step's scratch memory.
struct Resident {
  std::string name;
  DType dtype = DType::kNone;
  Strided form;
  uint64_t bytes = 0;
  format::ArenaKind kind = format::ArenaKind::kHost;  // of the arena it may lie in; kCaller: an
                                                      // input or output left to the caller
  LiveSteps live;
  bool yields = false;  // an output of its last step shares its bytes
  uint32_t arena = 0;   // of VariantPlan::arenas
  uint32_t offset = 0;
};

struct VariantStep {
  LoweredStep step;  // operands that are no constants index residents
  format::Where where = format::Where::kCpu;
  DispatchPlan dispatches;          // of a Vulkan step
  std::optional<uint32_t> scratch;  // a resident
  bool barrier_before = false;
  bool serial = false;  // on one thread: its output follows the reads of an input
};

struct Arena {
  std::string name;
  format::ArenaKind kind = format::ArenaKind::kHost;
  uint32_t bytes = 0;
  uint32_t alignment = 1;
};

struct VariantPlan {
  bool vulkan = false;
  std::vector<Resident> residents;
  std::vector<VariantStep> steps;
  std::vector<uint32_t> inputs, outputs;  // residents
  std::vector<Arena> arenas;
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
